/** Tests the API as a part of an application, without its own server. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agent, type Cairn, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createHandler } from "./handler.ts";

const seen: unknown[] = [];
const look = tool({
  name: "look",
  description: "Looks.",
  input: z.object({}),
  run: (_input, { scope, context }) => seen.push({ scope, context }),
});
const reported: string[] = [];
const log = {
  info: () => {},
  warn: () => {},
  error: (_message: string, error: unknown) => reported.push(String(error)),
};
let folder: string;
let cairn: Cairn;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-handler-"));
  await mkdir(join(folder, "web/assets"), { recursive: true });
  await writeFile(
    join(folder, "web/index.html"),
    '<html data-prefix="./"><script src="./assets/a.js"></script></html>',
  );
  await writeFile(join(folder, "web/assets/a.js"), "start();");
  const write = { path: "files/hello.md", content: "# Hello", mode: "create" };
  const model = scriptedModel(({ view }) => {
    const said = JSON.stringify(view.messages());
    if (said.includes("Write it"))
      return said.includes("hello.md") ? { say: "Written." } : { call: "react.write", input: write };
    return seen.length === 0 ? { call: "look" } : { say: "Seen." };
  });
  cairn = await createCairn({
    agents: [agent({ name: "a", model, instructions: "Help.", tools: [look] })],
    store: join(folder, "data"),
    log,
  });
});
afterAll(async () => {
  await cairn.close();
  await rm(folder, { recursive: true, force: true });
});

const authenticate = ({ headers }: Request) => {
  const user = headers.get("x-user");
  return user === null ? null : { tenant: "acme", user, context: { plan: "pro" }, inspect: user === "ada" };
};
const as = (user: string, more: Record<string, string> = {}) => ({ headers: { "x-user": user, ...more } });
const send = (user: string, body: object, more: Record<string, string> = {}) => ({
  method: "POST",
  body: JSON.stringify(body),
  ...as(user, { "content-type": "application/json", ...more }),
});
const chat = (id: string, text: string) => ({
  id,
  messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }],
});

describe("a mounted handler", () => {
  it.each([
    [
      "a route of Hono, which keeps the prefix",
      (prefix: string) => {
        const { fetch } = createHandler(cairn, { authenticate, prefix });
        return new Hono().all(`${prefix}/*`, ({ req, env }) => fetch(req.raw, env)).fetch;
      },
    ],
    [
      "Hono's mount, which removes the prefix",
      (prefix: string) => new Hono().mount(prefix, createHandler(cairn, { authenticate, prefix }).fetch).fetch,
    ],
    ["fetch alone, as in Next and Bun", (prefix: string) => createHandler(cairn, { authenticate, prefix }).fetch],
  ])("works by %s", async (_name, mount) => {
    const fetch = mount("/support");
    const get = async (path: string, init?: RequestInit) => fetch(new Request(`https://shop.example${path}`, init));
    expect(await (await get("/support/api/meta", as("ada"))).json()).toMatchObject({
      scope: { tenant: "acme", project: "default", user: "ada" },
      inspect: true,
    });
    expect((await get("/support/api/meta")).status).toBe(401);
    expect(await (await get("/support/openapi.json")).json()).toMatchObject({ servers: [{ url: "/support" }] });
    expect((await get("/support/api/nothing", as("ada"))).status).toBe(404);
    expect((await get("/support/metrics", as("ada"))).status).toBe(404);
  });

  it("passes the context of the application to its tools, and no context of a client", async () => {
    const { fetch } = createHandler(cairn, { authenticate });
    const body = { ...chat("looks", "Look"), context: { plan: "free" } };
    const answer = await fetch(new Request("https://shop.example/api/chat", send("ada", body)));
    expect(await answer.text()).toContain("Seen.");
    expect(seen).toEqual([{ scope: { tenant: "acme", project: "default", user: "ada" }, context: { plan: "pro" } }]);
    // The library and the handler share one store.
    expect(await cairn.conversation("looks", { tenant: "acme", user: "ada" }).messages()).toHaveLength(2);
  });

  it("names files by addresses below its prefix", async () => {
    const { fetch } = createHandler(cairn, { authenticate, prefix: "/support" });
    const at = (path: string, init: RequestInit) => fetch(new Request(`https://shop.example${path}`, init));
    const stream = await (await at("/support/api/chat", send("bob", chat("writes", "Write it")))).text();
    const [, url = ""] = /"type":"file","url":"([^"]+)"/.exec(stream) ?? [];
    expect(url).toMatch(/^\/support\/api\/conversations\/writes\/files\//);
    expect(await (await at(url, as("bob"))).text()).toBe("# Hello");
    // Only callers whom the application allows to inspect can see what the model received.
    expect((await at("/support/api/conversations/writes/requests", as("bob"))).status).toBe(403);
    expect((await at("/support/api/conversations/writes/requests", as("ada"))).status).toBe(404);
  });

  it("rejects requests of other sites' pages, because a browser sends cookies with them", async () => {
    const { fetch } = createHandler(cairn, { authenticate, origins: ["https://app.example"] });
    const status = async (more: Record<string, string>) =>
      (await fetch(new Request("https://shop.example/api/conversations", send("ada", {}, more)))).status;
    expect(await status({})).toBe(201);
    expect(await status({ origin: "https://shop.example" })).toBe(201);
    expect(await status({ origin: "https://app.example" })).toBe(201);
    for (const origin of ["https://evil.example", "null", "https://shop.example.evil.example"])
      expect(await status({ origin })).toBe(403);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ "sec-fetch-site": "same-site" })).toBe(403);
  });

  it("serves the web app below its prefix, at every address of the app", async () => {
    const { fetch } = createHandler(cairn, { authenticate, prefix: "/support", webFolder: join(folder, "web") });
    const get = async (path: string) => (await fetch(new Request(`https://shop.example${path}`))).text();
    const page = '<html data-prefix="/support/"><script src="/support/assets/a.js"></script></html>';
    for (const path of ["/support", "/support/", "/support/c/1/inspect/requests"]) expect(await get(path)).toBe(page);
    expect(await get("/support/assets/a.js")).toBe("start();");
  });

  it.each<[object, string]>([
    [{ authenticate, prefx: "/support" }, "`prefx`"],
    [{}, "`authenticate`"],
    [{ authenticate, origins: ["https://app.example/"] }, "https://app.example/"],
  ])("refuses the options %j and names the mistake", (options, named) => {
    expect(() => createHandler(cairn, options as never)).toThrow(named);
  });

  it("hides a context that is not an object from the client, because it is the application's mistake", async () => {
    const { fetch } = createHandler(cairn, { authenticate: () => ({ tenant: "a", user: "b", context: "c" }) as never });
    const answer = await fetch(new Request("https://shop.example/api/meta"));
    expect([answer.status, (await answer.json()).error.code]).toEqual([500, "internal"]);
    expect(reported).toEqual([
      expect.stringContaining("The `context` that `authenticate` returned must be an object."),
    ]);
  });

  it.each(["support", "/support/", "/a b", "/api", "/api/chat", '/"><script>'])("refuses the prefix %j", (prefix) => {
    expect(() => createHandler(cairn, { authenticate, prefix })).toThrow("`prefix`");
  });

  it("reports a scope that cannot be one as the application's mistake", async () => {
    const { fetch } = createHandler(cairn, { authenticate: () => ({ tenant: "", user: "ada" }) });
    expect((await fetch(new Request("https://shop.example/api/meta"))).status).toBeGreaterThanOrEqual(400);
  });
});
