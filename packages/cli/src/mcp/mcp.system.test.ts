/** Tests logins at an MCP server that requires them, with a real authorization server. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { reactTools } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { ProtectedServer, visit } from "@cairn/testkit/oauth";
import { freePort } from "@cairn/testkit/store";
import { callOf, playTurn, TurnBench } from "@cairn/testkit/turns";
import { connectMcp } from "@cairn/tools/mcp";
import { loadSettings, SecretBox } from "cairn-agent/process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CliBench } from "../../test/cli-bench.ts";
import { runCommand } from "../run-command.ts";

let server: ProtectedServer;
let cli: CliBench;
const disposals: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await ProtectedServer.open();
  cli = await CliBench.open();
  const mcp = { shop: { url: server.url, allow: "all", approval: "never" } };
  await cli.write("cairn.config.json", JSON.stringify({ mcp }));
});

afterAll(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
  await cli[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const scopeOf = (user: string) => ({ tenant: "acme", project: "site", user });

/** Runs `cairn mcp login` as a user, who opens the address and logs in with an account. */
async function login(user: string, account: string): Promise<void> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stderr.resume();
  server.nextAccount = account;
  const ended = runCommand(["mcp", "login", "shop"], {
    stdin,
    stdout,
    stderr,
    env: {},
    cwd: cli.folder,
    scope: scopeOf(user),
  });
  const said = await Promise.race([once(stdout, "data"), ended]);
  if (Array.isArray(said)) await visit(String(said[0]).trim());
  expect(await ended).toBe(0);
}

/** A conversation of a user with an agent that has the tools of the server. */
async function converse(user: string): Promise<TurnBench> {
  const settings = await loadSettings({ cwd: cli.folder, env: {} });
  const store = await openEmbeddedStore({ dir: settings.dataDir });
  const mcp = await connectMcp(settings.tools.mcp as never, { secrets: new SecretBox(settings, store) });
  const bench = await TurnBench.open({
    agent: { tools: reactTools(), findTools: (_, signal) => mcp.findTools(scopeOf(user), signal) },
  });
  disposals.push(
    () => store.close(),
    () => mcp.close(),
    async () => bench[Symbol.asyncDispose](),
  );
  return bench;
}

const whoami = callOf("mcp.shop.whoami", {});

it("each user logs in once and acts with their own account, and a user without a login has no tools of the server", async () => {
  await login("ada", "ada@shop");
  await login("bob", "bob@shop");
  const [ada, bob, eve] = [await converse("ada"), await converse("bob"), await converse("eve")];
  expect((await playTurn(ada, [whoami])).shown).toContain("You are ada@shop.");
  expect((await playTurn(bob, [whoami])).shown).toContain("You are bob@shop.");
  expect((await playTurn(eve, [whoami])).shown).toContain("There is no tool");
  const list = (user: string) => cli.run(["mcp", "list", "--json", "--scope", `acme/site/${user}`]);
  expect(JSON.parse((await list("ada")).stdout)).toMatchObject({ logged_in: true, tools: 3, problem: null });
  expect(JSON.parse((await list("eve")).stdout)).toMatchObject({
    logged_in: false,
    tools: 0,
    problem: expect.stringContaining("cairn mcp login shop"),
  });
});

it("tokens are encrypted with a key that only the owner of the data folder can read", async () => {
  await login("carol", "carol@shop");
  const { dataDir } = await loadSettings({ cwd: cli.folder, env: {} });
  expect((await stat(join(dataDir, "secret.key"))).mode & 0o777).toBe(0o600);
  const settings = await loadSettings({ cwd: cli.folder, env: {} });
  await using store = await openStore(settings.dataDir);
  const kept = await new SecretBox(settings, store).read(scopeOf("carol"), "mcp:shop");
  const { tokens, client } = JSON.parse(kept ?? "");
  const files = await Promise.all(
    ["cairn.db", "cairn.db-wal"].map((name) => readFile(join(dataDir, name)).catch(() => "")),
  );
  for (const secret of [tokens.access_token, tokens.refresh_token, client.client_id, "refresh_token"])
    for (const file of files) expect(file.includes(secret)).toBe(false);
  // A row cannot be decrypted after it was copied to another user, nor with a wrong key.
  const sealed = await store.readSecret(scopeOf("carol"), "mcp:shop");
  await store.writeSecret(scopeOf("mallory"), "mcp:shop", sealed);
  const unreadable = { code: "secret_unreadable" };
  await expect(new SecretBox(settings, store).read(scopeOf("mallory"), "mcp:shop")).rejects.toMatchObject(unreadable);
  await store.writeSecret(scopeOf("mallory"), "mcp:shop", null);
  const other = new SecretBox({ ...settings, secretKey: "another key of thirty-two letters" }, store);
  await expect(other.read(scopeOf("carol"), "mcp:shop")).rejects.toMatchObject(unreadable);
});

it("a token that ends in the middle of a turn is refreshed, and the call is made", async () => {
  await login("dan", "dan@shop");
  const dan = await converse("dan");
  const before = server.refreshes;
  const { shown } = await playTurn(dan, [callOf("mcp.shop.expire", {}), whoami]);
  expect(shown).toContain("You are dan@shop.");
  expect((await playTurn(dan, [whoami])).shown).toContain("You are dan@shop.");
  expect(server.refreshes - before).toBe(1);
});

it("a call with a revoked login fails with the fix, other users keep their logins, and a new login works at once", async () => {
  await login("fay", "fay@shop");
  await login("guy", "guy@shop");
  const [fay, guy] = [await converse("fay"), await converse("guy")];
  const { shown } = await playTurn(fay, [callOf("mcp.shop.revoke", {}), whoami]);
  expect(shown).toContain(
    'The MCP server shop requires a login. The user logs in with "MCP servers" in the app, or with',
  );
  expect((await playTurn(guy, [whoami])).shown).toContain("You are guy@shop.");
  expect((await playTurn(fay, [whoami])).shown).toContain("There is no tool");
  await login("fay", "fay-again@shop");
  expect((await playTurn(fay, [whoami])).shown).toContain("You are fay-again@shop.");
});

it("logout deletes the login; the next turn has no tools of the server", async () => {
  await login("ivy", "ivy@shop");
  const ivy = await converse("ivy");
  expect((await playTurn(ivy, [whoami])).shown).toContain("You are ivy@shop.");
  const logout = () => cli.run(["mcp", "logout", "shop", "--scope", "acme/site/ivy"]);
  expect((await logout()).code).toBe(0);
  expect((await logout()).code).toBe(3);
  expect((await playTurn(ivy, [whoami])).shown).toContain("There is no tool");
  expect((await cli.run(["mcp", "login", "none"])).code).toBe(3);
});

it("with another key, turns run without the login, and the user can log in again or log out", async () => {
  await login("kim", "kim@shop");
  const { dataDir } = await loadSettings({ cwd: cli.folder, env: {} });
  const change = () => writeFile(join(dataDir, "secret.key"), `${randomBytes(32).toString("base64")}\n`);
  const list = async () => JSON.parse((await cli.run(["mcp", "list", "--json", "--scope", "acme/site/kim"])).stdout);
  await change();
  expect((await playTurn(await converse("kim"), [whoami])).shown).toContain("There is no tool");
  expect(await list()).toMatchObject({ logged_in: false, problem: expect.stringContaining("cannot be read") });
  await login("kim", "kim-again@shop");
  expect((await playTurn(await converse("kim"), [whoami])).shown).toContain("You are kim-again@shop.");
  await change();
  expect((await cli.run(["mcp", "logout", "shop", "--scope", "acme/site/kim"])).code).toBe(0);
  expect(await list()).toMatchObject({ logged_in: false, problem: expect.stringContaining("cairn mcp login shop") });
});

it("the list shows addresses and arguments as they are written, without the values of variables", async () => {
  const key = "hidden-1234";
  const port = await freePort();
  const mcpFile = await cli.write(
    "list.mcp.json",
    JSON.stringify({
      mcpServers: {
        web: { url: `http://127.0.0.1:${port}/\${LIST_KEY}/mcp` },
        local: { command: "no-such-program", args: ["--key", "$" + "{LIST_KEY}"] },
      },
    }),
  );
  const { stdout, stderr } = await cli.run(["mcp", "list"], { env: { LIST_KEY: key, CAIRN_MCP_FILE: mcpFile } });
  expect(stdout).toContain(`http://127.0.0.1:${port}/\${LIST_KEY}/mcp`);
  expect(stdout).toContain("no-such-program --key $" + "{LIST_KEY}");
  expect(stdout + stderr).not.toContain(key);
});

async function openStore(dir: string) {
  const store = await openEmbeddedStore({ dir });
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
