/** Tests access control, and what browsers and other sites may do with the responses. */

import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "cairn-agent/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../test/server-bench.ts";
import { newToken, readTokens } from "./auth/tokens.ts";
import { startServer } from "./serve.ts";

/** Sends a request with headers that `fetch` does not allow to set. */
function ask(address: string, path: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
    const sent = request(`${address}${path}`, { method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("a server without tokens", () => {
  let bench: ServerBench;
  beforeAll(async () => {
    bench = await ServerBench.open();
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("does not start where others can reach it", async () => {
    const settings = readSettings(null, { CAIRN_HOST: "0.0.0.0", CAIRN_PORT: "0" }, bench.folder);
    const starting = startServer({ settings, env: {}, logTo: { write: () => true } });
    await expect(starting).rejects.toMatchObject({
      code: "bad_setting",
      message: expect.stringContaining("CAIRN_TOKENS"),
    });
  });

  it.each(["localhost:1", "127.0.0.1:80", "[::1]:4310", "LOCALHOST"])("answers to %s", async (host) => {
    expect((await ask(bench.address, "/api/meta", { host })).status).toBe(200);
  });

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "127.0.0.1@evil.example",
    "10.0.0.1",
  ])("rejects requests for the host name %j, as from a page that rebinds a name", async (host) => {
    const { status, body } = await ask(bench.address, "/api/meta", { host });
    expect([400, 403]).toContain(status);
    expect(body).not.toContain("tenant");
  });

  it("rejects requests from pages of other sites, with an origin or without one", async () => {
    const { port } = new URL(bench.address);
    const own = { host: `127.0.0.1:${port}` };
    expect((await ask(bench.address, "/api/meta", { ...own, origin: `http://127.0.0.1:${port}` })).status).toBe(200);
    for (const headers of [
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: `http://localhost:${port}` },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ] as Record<string, string>[]) {
      const { status, headers: answered } = await ask(bench.address, "/api/conversations", { ...own, ...headers });
      expect(status).toBe(403);
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    }
    const form = { ...own, "content-type": "text/plain" };
    expect((await ask(bench.address, "/api/conversations", form, "POST")).status).toBe(415);
  });

  it("tells browsers to run nothing but its own files, and never guesses types", async () => {
    for (const path of ["/api/meta", "/api/none", "/none", "/healthz"]) {
      const { headers } = await bench.fetch(path);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(headers.get("content-security-policy")).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  it("answers HEAD requests without keeping a follower or a file open", async () => {
    const id = await bench.converse();
    const data = Buffer.alloc(300_000, "x").toString("base64");
    await bench.say(id, "Hello", { attachments: [{ name: "a.bin", data }] });
    const { files } = await bench.get(`/api/conversations/${id}/files`);
    const open = async () => (await readdir("/proc/self/fd").catch(() => [])).length;
    const paths = [`/events`, `/files/${files[0].physical_path}`, `/export`].map(
      (path) => `/api/conversations/${id}${path}`,
    );
    for (const path of paths) expect((await bench.fetch(path, { method: "HEAD" })).status).toBe(200);
    const before = await open();
    for (const path of paths)
      for (let n = 0; n < 20; n++) expect((await bench.fetch(path, { method: "HEAD" })).status).toBe(200);
    expect(await (await bench.fetch("/metrics")).text()).toMatch(/^cairn_followers 0$/m);
    // Other sockets may open or close during the test, but not so many that sixty leaked files stay unnoticed.
    expect((await open()) - before).toBeLessThan(20);
  });

  it("leaves nothing of a conversation in a cache, and reports whom it rejected", async () => {
    bench.log.length = 0;
    const { headers } = await bench.fetch("/api/conversations");
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await bench.fetch("/api/none")).status).toBe(404);
    expect((await bench.fetch("/api/meta", { headers: { origin: "http://evil.example" } })).status).toBe(403);
    const lines = bench.log.map((line) => JSON.parse(line)).filter(({ message }) => message === "request");
    expect(lines.map(({ route, status }) => [route, status])).toEqual([
      ["/api/conversations", 200],
      ["none", 404],
      ["none", 403],
    ]);
  });

  it("sends files only with types that no browser executes", async () => {
    const id = await bench.converse();
    const hostile = '<script>alert(1)</script><svg onload="alert(1)">';
    const names = [
      "a.html",
      "b.svg",
      "c.xml",
      "d.js",
      "e.htm",
      "f.md",
      "g.bin",
      'q"uo\r\nte.html',
      "ü→.svg",
      "plain.txt",
    ];
    const data = Buffer.from(hostile).toString("base64");
    await bench.say(id, "Who are you?", { attachments: names.map((name) => ({ name, mime: "text/html", data })) });
    const { files } = await bench.get(`/api/conversations/${id}/files`);
    expect(files).toHaveLength(names.length);
    for (const { physical_path } of files) {
      const path = physical_path.split("/").map(encodeURIComponent).join("/");
      const response = await bench.fetch(`/api/conversations/${id}/files/${path}`);
      expect(await response.text()).toBe(hostile);
      expect(response.headers.get("content-type")).toMatch(
        /^(?:text\/plain; charset=utf-8|application\/octet-stream)$/,
      );
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      const isPlain = /\.(?:md|txt)$/.test(physical_path);
      expect(response.headers.get("content-disposition")).toMatch(isPlain ? /^inline/ : /^attachment/);
    }
  });

  it("sends ranges of files, and the whole file for a range that it does not support", async () => {
    const id = await bench.converse();
    const data = Buffer.from("0123456789").toString("base64");
    await bench.say(id, "Hello", { attachments: [{ name: "a.txt", data }] });
    const { files } = await bench.get(`/api/conversations/${id}/files`);
    const path = `/api/conversations/${id}/files/${files[0].physical_path}`;
    for (const [range, status, text] of [
      ["bytes=2-4", 206, "234"],
      ["bytes=7-", 206, "789"],
      ["bytes=-2", 206, "89"],
      ["bytes=5-999", 206, "56789"],
      ["bytes=0-1,3-4", 200, "0123456789"],
      ["nonsense", 200, "0123456789"],
    ] as const) {
      const response = await bench.fetch(path, { headers: { range } });
      expect([response.status, await response.text()]).toEqual([status, text]);
    }
    expect((await bench.fetch(path, { headers: { range: "bytes=10-" } })).status).toBe(416);
    const etag = (await bench.fetch(path)).headers.get("etag") ?? "";
    expect((await bench.fetch(path, { headers: { "if-none-match": etag } })).status).toBe(304);
    for (const [has, status] of [
      [etag, 206],
      ['"other"', 200],
    ] as const) {
      const headers = { range: "bytes=2-4", "if-range": has };
      expect((await bench.fetch(path, { headers })).status).toBe(status);
    }
    for (const outside of ["..%2f..%2fcairn.db", "%2e%2e/cairn.db", "a%00b", "/etc/passwd", "C:%5cx"]) {
      const { status } = await bench.fetch(`/api/conversations/${id}/files/${outside}`);
      expect([400, 404]).toContain(status);
    }
  });
});

describe("a server with tokens", () => {
  const ada = newToken({ tenant: "acme", project: "site", user: "ada" });
  const bob = newToken({ tenant: "acme", project: "site", user: "bob" });

  it("gives each user access to their own conversations only", async () => {
    const tokens = JSON.stringify([ada.entry, bob.entry]);
    await using bench = await ServerBench.open({ server: { tokens, origins: ["https://friend.example"] } });
    const as = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" });
    const made = await bench.post("/api/conversations", {}, as(ada.token));
    const path = `/api/conversations/${made.conversation_id}`;
    expect((await bench.fetch(path, { headers: as(ada.token) })).status).toBe(200);
    expect((await bench.fetch(path, { headers: as(bob.token) })).status).toBe(404);
    const listed = await (await bench.fetch("/api/conversations", { headers: as(bob.token) })).json();
    expect(listed).toEqual({ conversations: [], next_cursor: null });
    for (const authorization of [
      "",
      "Bearer",
      "Bearer x",
      `Basic ${ada.token}`,
      `Bearer ${ada.entry.sha256}`,
      `Bearer ${ada.token}x`,
    ])
      for (const where of ["/api/meta", path, "/metrics", `${path}/events`])
        expect((await bench.fetch(where, { headers: { authorization } })).status).toBe(401);
    expect((await bench.fetch("/healthz")).status).toBe(200);

    const friend = { origin: "https://friend.example", ...as(ada.token) };
    const answered = await ask(bench.address, "/api/meta", friend);
    expect(answered.headers["access-control-expose-headers"]).toContain("retry-after");
    expect(answered.headers.vary).toBe("origin");
    expect(answered.headers["access-control-allow-origin"]).toBe("https://friend.example");
    const preflight = await ask(bench.address, "/api/meta", { origin: "https://friend.example" }, "OPTIONS");
    expect(preflight.status).toBe(204);
    const stranger = await ask(bench.address, "/api/meta", { origin: "https://evil.example" }, "OPTIONS");
    expect(stranger.headers["access-control-allow-origin"]).toBeUndefined();
    expect(bench.log.join("")).not.toContain(ada.token);
  });

  it("stores only hashes, in a list or a file, and reports a wrong list or file in one line", async () => {
    expect(JSON.stringify(ada.entry)).not.toContain(ada.token);
    const folder = await mkdtemp(join(tmpdir(), "cairn-tokens-"));
    const file = join(folder, "tokens.json");
    await writeFile(file, JSON.stringify([ada.entry]));
    expect((await readTokens(file)).find(ada.token)).toEqual({
      scope: { tenant: "acme", project: "site", user: "ada" },
      via: "token",
      subject: "ada",
      credential: ada.entry.sha256.slice(0, 16),
      isOperator: false,
      mayInspect: false,
    });
    await rm(folder, { recursive: true });
    for (const wrong of [file, "[", "{}", '[{"sha256":"x"}]', JSON.stringify([{ ...ada.entry, user: "" }])])
      await expect(readTokens(wrong)).rejects.toMatchObject({ code: expect.stringMatching(/^bad_/) });
  });
});

it("a GET with a body is rejected before the body arrives, and its connection is closed", async () => {
  await using bench = await ServerBench.open();
  const socket = connect(Number(new URL(bench.address).port), "127.0.0.1");
  socket.on("error", () => undefined); // The server may close the connection while the test writes.
  let said = "";
  socket.on("data", (chunk) => {
    said += String(chunk);
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write("GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\nx");
  await closed;
  expect(said).toContain("400 Bad Request");
});

it("an empty list of tokens rejects everybody, even the local user", async () => {
  await using bench = await ServerBench.open({ server: { tokens: "[]" } });
  expect((await bench.fetch("/api/meta")).status).toBe(401);
  expect((await bench.fetch("/api/meta", { headers: { authorization: "Bearer x" } })).status).toBe(401);
});
