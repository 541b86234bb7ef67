/** Tests general rules of HTTP on which clients and proxies rely. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";
import { newToken } from "../auth/tokens.ts";

const { token, entry } = newToken({ tenant: "acme", project: "site", user: "ada", inspect: true });
const authorization = `Bearer ${token}`;
const json = { authorization, "content-type": "application/json" };

let bench: ServerBench;
let id: string;
let file: string;

beforeAll(async () => {
  bench = await ServerBench.open({ server: { tokens: JSON.stringify([entry]) } });
  id = (await bench.post("/api/conversations", {}, { authorization })).conversation_id;
  const attachments = [{ name: "a.txt", data: Buffer.from("0123456789").toString("base64") }];
  await bench.post(`/api/conversations/${id}/turns`, { message: "Hello", attachments }, { authorization });
  for (file = ""; file === ""; await wait(20)) {
    const { files } = await (
      await bench.fetch(`/api/conversations/${id}/files`, { headers: { authorization } })
    ).json();
    file = files[0] === undefined ? "" : `/api/conversations/${id}/files/${files[0].physical_path}`;
  }
});
afterAll(() => bench[Symbol.asyncDispose]());

describe("an error response", () => {
  it("names the methods, credentials and sizes that would be accepted", async () => {
    const told = async (path: string, method: string, headers: Record<string, string>, name: string) => {
      const response = await bench.fetch(path, { method, headers });
      return [response.status, response.headers.get(name)];
    };
    expect(await told("/api/conversations", "PUT", { authorization }, "allow")).toEqual([405, "GET, POST"]);
    expect(await told("/healthz", "POST", {}, "allow")).toEqual([405, "GET"]);
    expect(await told("/api/meta", "GET", {}, "www-authenticate")).toEqual([401, "Bearer"]);
    const range = "bytes=10-";
    expect(await told(file, "GET", { authorization, range }, "content-range")).toEqual([416, "bytes */10"]);
  });

  it("is given for a compressed body of any type", async () => {
    const body = new Uint8Array(gzipSync("{}"));
    for (const [path, type] of [
      ["/api/conversations", "application/json"],
      [`/api/conversations/${id}/turns`, "multipart/form-data; boundary=x"],
      ["/api/import", "application/x-ndjson"],
    ] as const) {
      const headers = { authorization, "content-type": type, "content-encoding": "gzip" };
      expect([path, (await bench.fetch(path, { method: "POST", headers, body })).status]).toEqual([path, 415]);
    }
    const plain = { method: "POST", headers: { ...json, "content-encoding": "identity" }, body: "{}" };
    expect((await bench.fetch("/api/conversations", plain)).status).toBe(201);
  });
});

describe("a file", () => {
  it("is not sent again to a client that has it, in any form of the header", async () => {
    const etag = (await bench.fetch(file, { headers: { authorization } })).headers.get("etag") ?? "";
    for (const [has, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"x", W/"y" , ${etag}`, 304],
      ["*", 304],
      ['"x"', 200],
      [etag.slice(1, -1), 200],
    ] as const) {
      const response = await bench.fetch(file, { headers: { authorization, "if-none-match": has } });
      expect([has, response.status, (await response.text()).length]).toEqual([has, status, status === 200 ? 10 : 0]);
    }
  });

  it("is complete for a range that ends before it begins", async () => {
    const response = await bench.fetch(file, { headers: { authorization, range: "bytes=9-2" } });
    expect([response.status, await response.text()]).toEqual([200, "0123456789"]);
  });
});

describe("a form", () => {
  it("contains the line breaks of a message as typed, although a form encodes them differently", async () => {
    const made = await bench.post("/api/conversations", {}, { authorization });
    const path = `/api/conversations/${made.conversation_id}`;
    const form = new FormData();
    form.set("message", "Run this:\n\n```python\nprint(1)\n```");
    form.append("attachments", new Blob(["a"]), "a.txt");
    const headers = { authorization };
    expect((await bench.fetch(`${path}/turns`, { method: "POST", headers, body: form })).status).toBe(202);
    for (let said = ""; said !== "Run this:\n\n```python\nprint(1)\n```"; await wait(20)) {
      const { turns } = await (await bench.fetch(path, { headers })).json();
      said = turns[0]?.prompt.text ?? "";
      expect(said).not.toContain("\r");
    }
  });
});

describe("a client that disconnects in the middle of its request", () => {
  it("is distinguished from a failure of the server, in the log and in the metrics", async () => {
    const port = Number(new URL(bench.address).port);
    for (const type of ["application/json", "multipart/form-data; boundary=x"]) {
      const socket = connect(port, "127.0.0.1");
      const lines = [
        `POST /api/conversations/${id}/turns HTTP/1.1`,
        ...["host: 127.0.0.1", `authorization: ${authorization}`, `content-type: ${type}`, "content-length: 5000"],
      ];
      await once(socket, "connect");
      socket.write(`${lines.join("\r\n")}\r\n\r\n{"message":"half of`, () => socket.destroy());
      await once(socket, "close");
    }
    const gone = () => bench.log.filter((line) => line.includes('"status":499'));
    while (gone().length < 2) await wait(20);
    expect(bench.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(await (await bench.fetch("/metrics", { headers: { authorization } })).text()).not.toContain('status="500"');
  });
});

describe("half of a character", () => {
  it("in a message, a title or a feedback becomes a replacement character in every response, which any JSON reader accepts", async () => {
    const half = '"A half \\ud800 here"';
    const make = await bench.fetch("/api/conversations", { method: "POST", headers: json, body: `{"title":${half}}` });
    const path = `/api/conversations/${(await make.json()).conversation_id}`;
    const send = async (to: string, body: string) => {
      const response = await bench.fetch(to, { method: "POST", headers: json, body });
      expect([to, response.status]).toEqual([to, to === "/api/chat" ? 200 : 202]);
      return response;
    };
    const { turn_id } = await (await send(`${path}/turns`, `{"message":${half}}`)).json();
    const read = async (from: string) => (await bench.fetch(from, { headers: { authorization } })).text();
    while (!(await read(path)).includes('"exit":"complete"')) await wait(20);
    await send(`${path}/turns/${turn_id}/feedback`, `{"reaction":${half},"text":${half}}`);
    const said = `{"id":"m","role":"user","parts":[{"type":"text","text":${half}}]}`;
    await (await send("/api/chat", `{"id":"half","messages":[${said}]}`)).text();
    for (const from of ["/api/conversations", path, `${path}/export`, "/api/conversations/half"]) {
      const text = await read(from);
      expect([from, text.includes("A half \ufffd here"), /\\ud[89a-f]/i.test(text)]).toEqual([from, true, false]);
    }
  });
});
