/**
 * Tests two users at one server, each with a token, who call the whole API with data of the other user: ids of
 * conversations, turns, calls and requests, paths and blob keys, tokens, cursors and words. The calls come from the
 * OpenAPI document, so new endpoints are tested, too. No user may read or change data of the other.
 */
import { createHash } from "node:crypto";
import type { Scope } from "@cairn/store";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { type CallTarget, type DescribedCall, describedCalls, TokenHolder } from "../test/described-calls.ts";
import { ServerBench } from "../test/server-bench.ts";

/** Endpoints that every user may call, because they name no resource. */
const OWN = new Set(["GET /api/meta", "GET /metrics", "GET /healthz", "GET /readyz"]);
/** Endpoints that create data of the caller for any names in the request. The client chooses the id of a chat. */
const MAKING = new Set(["POST /api/conversations", "POST /api/import", "POST /api/import/messages", "POST /api/chat"]);
const ROUNDS = process.env.CAIRN_LONG === "1" ? 20 : 1;

interface Party {
  readonly holder: TokenHolder;
  readonly scope: Scope;
  readonly word: string;
  readonly own: CallTarget;
}

/** Paths that name data of the other user below the attacker's own conversation, in unusual spellings. */
function disguises(own: CallTarget, others: CallTarget): readonly CallTarget[] {
  const { conversation } = others;
  const ids = [` ${conversation}`, `${conversation} `, `${conversation}\0`, `../${conversation}`, `./${conversation}`];
  const odd = [conversation.toUpperCase(), `${conversation}%`, `*`, `%`, `_`, `conv_%`, `["acme"]`];
  const paths = [
    `../${conversation}/${others.path}`,
    `../../blobs/${others.path}`,
    `/${others.path}`,
    others.logicalPath,
  ];
  return [
    ...[...ids, ...odd].map((id) => ({ ...others, conversation: id })),
    { ...others, conversation: own.conversation, turn: own.turn },
    ...paths.map((path) => ({ ...own, path, logicalPath: path })),
  ];
}

/** For these endpoints, an unknown conversation is the empty chat of a client that has sent nothing yet. */
const UNKNOWN = new Map([
  ["GET /api/chat/{id}", 200],
  ["GET /api/chat/{id}/stream", 204],
]);

const secretsOf = ({ word }: Party) => new RegExp(`(?:The secret of|About|More of|What is) ${word}`);

/** A response may contain words and ids of the attacker, and those of the other user that the attacker sent. */
function judge(call: DescribedCall, text: string, victim: Party): void {
  const sent = `${decodeURIComponent(call.path)} ${call.body ?? ""}`;
  expect([call.method, call.path, secretsOf(victim).test(text)]).toEqual([call.method, call.path, false]);
  for (const id of [victim.own.conversation, victim.own.turn]) if (text.includes(id)) expect(sent).toContain(id);
}

async function attack(bench: ServerBench, attacker: Party, victim: Party): Promise<number> {
  const straight = await describedCalls(bench, victim.own);
  let tried = 0;
  for (const call of straight) {
    const name = `${call.method} ${call.route}`;
    // Importing a file makes a copy, and an attacker can have the file only from another person.
    if (name === "POST /api/import" || name === "POST /api/chat") continue;
    const { status, text } = await attacker.holder.send(call);
    judge(call, text, victim);
    const isAbout = call.route.includes("{id}");
    if (isAbout) expect([name, status]).toEqual([name, UNKNOWN.get(name) ?? 404]);
    else if (!OWN.has(name) && !MAKING.has(name)) expect([name, status < 500]).toEqual([name, true]);
    tried++;
  }
  for (const disguised of disguises(attacker.own, victim.own))
    for (const call of await describedCalls(bench, disguised)) {
      const name = `${call.method} ${call.route}`;
      // The attacker's own data may change.
      const isOwn = disguised.conversation === attacker.own.conversation;
      if (!call.route.includes("{id}") || (isOwn && call.method !== "GET")) continue;
      const { status, text } = await attacker.holder.send(call);
      judge(call, text, victim);
      if (!isOwn)
        expect([name, call.path, [UNKNOWN.get(name) ?? 404, 400]]).toEqual([
          name,
          call.path,
          expect.arrayContaining([status]),
        ]);
      tried++;
    }
  return tried;
}

/** The attempts over MCP: its tools must find, read and follow only data of the caller. */
async function attackOverMcp(bench: ServerBench, attacker: Party, victim: Party): Promise<void> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: { authorization: `Bearer ${attacker.holder.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.address}/mcp`), { requestInit }));
  const call = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify(await client.callTool({ name, arguments: args }));
  const { conversation, turn, logicalPath } = victim.own;
  expect(await call("search", { query: attacker.word })).toContain(attacker.own.conversation);
  expect(await call("search", { query: victim.word })).not.toContain(conversation);
  expect(await call("list_conversations", {})).not.toContain(conversation);
  const prompt = { conversation, path: `ar:${turn}.user.prompt` };
  for (const [name, args] of [
    ["search", { query: victim.word, conversation }],
    ["read", prompt],
    ["read", { conversation, path: logicalPath }],
    ["read", { ...prompt, conversation: attacker.own.conversation }],
    ["follow", { conversation }],
    ["follow", { conversation, turn }],
    ["follow", { conversation: attacker.own.conversation, turn }],
    ["ask", { conversation, message: "Hello" }],
  ] as const)
    expect([name, await call(name, args)]).not.toEqual([name, expect.stringMatching(secretsOf(victim))]);
  await client.close();
}

/** Everything that the API shows of a conversation, and the list of conversations. */
async function everythingOf({ holder, own }: Party): Promise<readonly string[]> {
  const ask = (path: string) => holder.send({ method: "GET", path, type: null, body: null });
  const base = `/api/conversations/${own.conversation}`;
  const paths = [base, `${base}/export`, `${base}/timeline`, `${base}/blocks`, `${base}/files`, `${base}/requests`];
  return Promise.all(paths.map(async (path) => (await ask(path)).text));
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Values that might count as the other user's token, or as access to another scope. */
async function forge(bench: ServerBench, attacker: Party, victim: Party): Promise<void> {
  const path = `/api/conversations/${victim.own.conversation}`;
  const [mine, theirs] = [attacker.holder.token, victim.holder.token];
  const refused = [
    ...[
      sha256(theirs),
      theirs.slice(0, -1),
      `${theirs}x`,
      theirs.toUpperCase(),
      `${theirs} ${mine}`,
      `${mine},${theirs}`,
    ],
    ...[theirs.slice("cairn_".length), Buffer.from(theirs).toString("base64"), `${mine}.${theirs}.`, "null", "[]", "*"],
  ];
  for (const token of refused)
    expect([token, (await bench.fetch(path, { headers: { authorization: `Bearer ${token}` } })).status]).toEqual([
      token,
      401,
    ]);
  for (const headers of [{ authorization: `Basic ${theirs}` }, { cookie: `token=${theirs}` }, { "x-api-key": theirs }])
    expect((await bench.fetch(path, { headers })).status).toBe(401);
  expect((await bench.fetch(`${path}?access_token=${theirs}&token=${theirs}`)).status).toBe(401);
  const { tenant, project, user } = victim.scope;
  const claims = { "x-tenant": tenant, "x-project": project, "x-user": user, "x-forwarded-user": user };
  const asked = `${path}?tenant=${tenant}&project=${project}&user=${user}`;
  expect((await bench.fetch(asked, { headers: { authorization: `Bearer ${mine}`, ...claims } })).status).toBe(404);
}

/** The attacker knows the hash of the bytes. Neither a path nor an imported file with the hash gives access to them. */
async function nameBytes({ holder, own }: Party, victim: Party): Promise<void> {
  const bytes = (word: string) => `The secret of ${word} is ${word}.`;
  const [ownRef, ref] = [own.words, victim.word].map((word) => `sha256:${sha256(bytes(word))}`);
  const folder = sha256(victim.scope.tenant).slice(0, 32);
  const hash = ref?.slice("sha256:".length) ?? "";
  const base = `/api/conversations/${own.conversation}`;
  const names = [ref, hash, `fi:${ref}`, `${folder}/${hash.slice(0, 2)}/${hash}`, `../../blobs/${folder}/${hash}`];
  for (const name of names.map((each) => encodeURIComponent(each ?? "")))
    for (const path of [`${base}/files/${name}`, `${base}/read?path=${name}`, `${base}/read?path=fi:${name}`]) {
      const { status, text } = await holder.send({ method: "GET", path, type: null, body: null });
      expect([path, text.includes(bytes(victim.word))]).toEqual([path, false]);
      if (path.includes("/files/")) expect([400, 404]).toContain(status);
    }
  // The attacker's own conversation as a file that names the other user's bytes, without bytes or with the attacker's
  // bytes instead.
  expect(own.exported).toContain(ownRef);
  const lines = own.exported.trimEnd().split("\n").slice(0, -1);
  const renamed = lines.map((line) => line.replaceAll(ownRef ?? "", ref ?? ""));
  const bare = renamed
    .filter((line) => !/^\{"(?:blob|bytes)"/.test(line))
    .map((line, nth) => (nth === 0 ? JSON.stringify({ ...JSON.parse(line), blobs: 0 }) : line));
  for (const forged of [renamed, bare]) {
    const text = forged.map((line) => `${line}\n`).join("");
    const body = `${text}${JSON.stringify({ sha256: sha256(text) })}\n`;
    const call = { method: "POST", path: "/api/import", type: "application/x-ndjson", body };
    expect((await holder.send(call)).status).toBe(422);
  }
}

async function hammer(settings: Readonly<Record<string, string>>, scopes: readonly Scope[]): Promise<void> {
  const { holders, list } = TokenHolder.make(scopes, () => bench);
  await using bench = await ServerBench.open({
    settings: { ...settings, CAIRN_TOKENS: list, CAIRN_USER_REQUESTS: "100000", CAIRN_TENANT_REQUESTS: "100000" },
  });
  const [ada, bob] = holders;
  if (ada === undefined || bob === undefined) throw new Error("There are not two.");
  const party = async (holder: TokenHolder, word: string, scope: Scope | undefined): Promise<Party> => {
    if (scope === undefined) throw new Error("There is no scope.");
    return { holder, word, scope, own: await holder.converse(word) };
  };
  const [first, second] = await Promise.all([party(ada, "Zanzibar", scopes[0]), party(bob, "Quetzal", scopes[1])]);
  const before = await Promise.all([everythingOf(first), everythingOf(second)]);

  for (let round = 0; round < ROUNDS; round++) {
    const tried = await Promise.all([attack(bench, first, second), attack(bench, second, first)]);
    for (const count of tried) expect(count).toBeGreaterThan(100);
    for (const [attacker, victim] of [
      [first, second],
      [second, first],
    ] as const) {
      await forge(bench, attacker, victim);
      await attackOverMcp(bench, attacker, victim);
      await nameBytes(attacker, victim);
    }
  }
  expect(await Promise.all([everythingOf(first), everythingOf(second)])).toEqual(before);

  // A search finds only the attacker's own texts, and a cursor of the other user is rejected.
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const find = async (words: string) => (await own.holder.get(`/api/conversations?q=${words}`)).conversations;
    expect(await find(own.word)).not.toEqual([]);
    for (const words of [other.word, `${other.word}*`, `${own.word} OR ${other.word}`, `"${other.word}"`])
      expect(JSON.stringify(await find(encodeURIComponent(words)))).not.toContain(other.word);
    const numbers = await own.holder.send({ method: "GET", path: "/metrics", type: null, body: null });
    expect(numbers.text).not.toMatch(/Zanzibar|Quetzal|conv_|acme|globex|tokens|dollars/);
  }

  // Both users have a conversation with the same id. These are two conversations.
  const { conversation } = first.own;
  const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "What do you know?" }] }];
  const body = JSON.stringify({ id: conversation, messages });
  const told = await bob.send({ method: "POST", path: "/api/chat", type: "application/json", body });
  expect(told.text).not.toContain("Zanzibar");
  expect(JSON.stringify(await bob.get(`/api/conversations/${conversation}`))).not.toContain("Zanzibar");
  const path = `/api/conversations/${conversation}`;
  expect((await bob.send({ method: "DELETE", path, type: null, body: null })).status).toBe(204);
  expect(await everythingOf(first)).toEqual(before[0]);
  expect(bench.log.join("")).not.toMatch(/Zanzibar|Quetzal|"stack"/);
}

const missing = whyNoPostgres();

const TENANTS: readonly Scope[] = ["acme", "globex"].map((tenant) => ({ tenant, project: "site", user: "ada" }));
/** Bytes are stored by tenant, so the two users share a stored file. */
const COLLEAGUES: readonly Scope[] = ["ada", "bob"].map((user) => ({ tenant: "acme", project: "site", user }));

describe("two users who try each other's ids, paths, keys, tokens, cursors and words", () => {
  it("see and change nothing of each other's as tenants of an embedded store", () => hammer({}, TENANTS));

  it("see and change nothing of each other's as users of one tenant", () => hammer({}, COLLEAGUES));

  it.skipIf(missing !== null)(
    `see and change nothing of each other's as tenants of PostgreSQL${missing === null ? "" : ` (${missing})`}`,
    { timeout: 180_000 },
    async () => {
      const postgres = await startPostgres({ sync: false });
      try {
        await hammer({ CAIRN_DATABASE_URL: await postgres.createDatabase() }, TENANTS);
      } finally {
        await postgres.close();
      }
    },
  );
});
