/** Tests logins at MCP servers, and their prompts, over the API with a real authorization server. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProtectedServer, visit } from "@cairn/testkit/oauth";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TokenHolder } from "../../../test/described-calls.ts";
import { ServerBench } from "../../../test/server-bench.ts";

const { ada, bob, list } = TokenHolder.pair(() => bench);

let shop: ProtectedServer;
let bench: ServerBench;
let folder: string;

beforeAll(async () => {
  shop = await ProtectedServer.open();
  folder = await mkdtemp(join(tmpdir(), "cairn-mcp-servers-"));
  const file = join(folder, "mcp.json");
  await writeFile(
    file,
    JSON.stringify({
      mcpServers: { shop: { url: shop.url }, kiosk: { url: shop.url, headers: { authorization: "Bearer none" } } },
    }),
  );
  bench = await ServerBench.open({ settings: { CAIRN_TOKENS: list, CAIRN_MCP_FILE: file } });
});
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function ask(user: TokenHolder, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${user.token}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await bench.fetch(`/api/mcp${path}`, init);
  const text = await response.text();
  return { status: response.status, ...(text === "" ? {} : JSON.parse(text)) };
}

const shopOf = async (user: TokenHolder) =>
  (await ask(user, "GET", "")).servers.find(({ server }: { readonly server: string }) => server === "shop");

/** Begins a login, and logs in as an account. Returns the query of the redirect to the app. */
async function logInAs(user: TokenHolder, account: string): Promise<string> {
  const { address } = await ask(user, "POST", "/shop/login");
  shop.nextAccount = account;
  const back = new URL(await visit(address, `${bench.address}/mcp-login`));
  return back.search.slice(1);
}

it("a user connects a server in the app, uses its prompts, and disconnects it; others have their own login", async () => {
  expect(await shopOf(ada)).toMatchObject({ takes_login: true, logged_in: false, needs_login: true, tools: 0 });
  expect((await ask(ada, "GET", "")).servers[1]).toMatchObject({ server: "kiosk", takes_login: false, tools: 0 });
  expect(await ask(ada, "GET", "/prompts")).toMatchObject({ prompts: [] });
  const parameters = await logInAs(ada, "ada@shop");
  expect(await ask(ada, "POST", "/shop/login/finish", { parameters })).toEqual({ status: 200, server: "shop" });
  expect(await shopOf(ada)).toMatchObject({ logged_in: true, needs_login: false, tools: 3, problems: [] });
  expect(await shopOf(bob)).toMatchObject({ logged_in: false, tools: 0 });

  const argument = { name: "to", description: "Whom to greet.", required: true };
  const greeting = { server: "shop", name: "greeting", description: "A greeting.", arguments: [argument] };
  expect((await ask(ada, "GET", "/prompts")).prompts).toEqual([{ ...greeting, title: "" }]);
  expect((await ask(bob, "GET", "/prompts")).prompts).toEqual([]);
  expect(await ask(ada, "POST", "/shop/prompts/greeting", { arguments: { to: "Eve" } })).toEqual({
    status: 200,
    text: "User: Greet Eve from ada@shop.\n\nAssistant: How warmly?",
    files: [{ name: "1-image", mime: "image/png", data: "AAAA" }],
  });
  expect(await ask(ada, "POST", "/shop/prompts/none", {})).toMatchObject({ status: 502, error: { code: "mcp_error" } });

  expect((await ask(ada, "DELETE", "/shop/login")).status).toBe(204);
  expect((await ask(ada, "DELETE", "/shop/login")).status).toBe(404);
  expect(await shopOf(ada)).toMatchObject({ logged_in: false, needs_login: true, tools: 0 });
});

it("only the user who began a login finishes it, once, and a foreign answer does not end it", async () => {
  const parameters = await logInAs(ada, "ada@shop");
  const finish = (user: TokenHolder, given: string) => ask(user, "POST", "/shop/login/finish", { parameters: given });
  const refused = { status: 502, error: { code: "mcp_login_failed" } };
  expect(await finish(bob, parameters)).toMatchObject(refused);
  const other = new URLSearchParams(parameters);
  other.set("state", "of-another-site");
  expect(await finish(ada, `${other}`)).toMatchObject(refused);
  expect((await finish(ada, parameters)).status).toBe(200);
  expect(await finish(ada, parameters)).toMatchObject(refused);
  expect(await shopOf(bob)).toMatchObject({ logged_in: false });
  expect((await ask(ada, "POST", "/kiosk/login")).status).toBe(400);
  expect((await ask(ada, "POST", "/none/login")).status).toBe(404);
});

it("the redirect leads to this server for requests of any page, and an answer of another issuer is refused", async () => {
  const begin = async (origin: string) => {
    const headers = { authorization: `Bearer ${bob.token}`, origin };
    const response = await bench.fetch("/api/mcp/shop/login", { method: "POST", headers });
    return { status: response.status, ...JSON.parse(await response.text()) };
  };
  expect(await begin("https://evil.example")).toMatchObject({ status: 403 });
  const { address } = await begin(bench.address);
  expect(new URL(address).searchParams.get("redirect_uri")).toBe(`${bench.address}/mcp-login`);
  // Behind a proxy that ends TLS, only the page knows the scheme. The provider refuses https for 127.0.0.1.
  const secure = await begin(bench.address.replace("http:", "https:"));
  expect(secure.error.message).toContain("HTTPS URIs must not be using 127.0.0.1");
  const parameters = new URLSearchParams(await logInAs(bob, "bob@shop"));
  parameters.set("iss", "https://other.example");
  const given = { parameters: `${parameters}` };
  expect(await ask(bob, "POST", "/shop/login/finish", given)).toMatchObject({ error: { code: "mcp_login_failed" } });
  expect(await shopOf(bob)).toMatchObject({ logged_in: false });
});

it("the journal keeps the prompt from which a message was made", async () => {
  const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
  const send = async (path: string, body: object) =>
    JSON.parse(await (await bench.fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).text());
  const { conversation_id: id } = await send("/api/conversations", {});
  const prompt = { server: "shop", name: "greeting", arguments: { to: "Eve" } };
  const { turn_id } = await send(`/api/conversations/${id}/turns`, { message: "Greet Eve.", prompt });
  const read = async () =>
    JSON.parse(await (await bench.fetch(`/api/conversations/${id}/timeline`, { headers })).text());
  await expect
    .poll(async () => (await read()).blocks.find(({ path }: { path?: string }) => path === `ar:${turn_id}.user.prompt`))
    .toMatchObject({ text: "Greet Eve.", meta: { prompt } });
});
