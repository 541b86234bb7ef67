/**
 * Tests with canaries. A canary is a word in the agent's internal content. The test searches for canaries in everything
 * that the server sends. The test calls every endpoint of the OpenAPI document, with every path and every canary, while
 * turns run and after they have ended, so new endpoints are covered automatically.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { CANARY_EXITS, Canaries, type CanaryExit, canaryAgents, canarySteps } from "@cairn/testkit/turns";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Collector } from "../test/collector.ts";
import { type CallTarget, callsOf, type DescribedCall, describedCalls, TokenHolder } from "../test/described-calls.ts";
import { readFrames, ServerBench } from "../test/server-bench.ts";
import { newToken } from "./auth/tokens.ts";

const SCOPE = { tenant: "acme", project: "site", user: "ada" };
/** Texts without a block, because the turn was cancelled or failed while they were written or before. */
const NEVER_LANDED = new Set(["cancelled: note under way", "error: note under way"]);
const CHAT_STREAM = "/api/chat/{id}/stream";
const PARTS_STREAM = "/api/conversations/{id}/turns/{turn}/parts";
/** Endpoints whose response ends with the turn. The test reads them while it calls other endpoints. */
const STREAMS: readonly string[] = [CHAT_STREAM, PARTS_STREAM];
/** Addresses with a parameter that takes a path or words. */
const ASKED = /[?&](?:path|q)=|\/files\//;

afterEach(() => {
  vi.unstubAllEnvs();
});

interface CanaryParts {
  readonly server: ServerBench;
  readonly person: TokenHolder;
  readonly inspector: TokenHolder;
  readonly model: ModelSimulator;
  readonly gate: ModelSimulator;
  readonly collector: Collector;
}

class CanaryBench implements AsyncDisposable, CanaryParts {
  readonly server: ServerBench;
  readonly person: TokenHolder;
  readonly inspector: TokenHolder;
  readonly model: ModelSimulator;
  readonly gate: ModelSimulator;
  readonly collector: Collector;
  readonly canaries = new Canaries();
  /** Everything that streams sent to a person without the permission `inspect`. */
  readonly streamed: string[] = [];
  readonly #reading: Promise<void>[] = [];
  readonly #leave = new AbortController();

  private constructor({ server, person, inspector, model, gate, collector }: CanaryParts) {
    this.server = server;
    this.person = person;
    this.inspector = inspector;
    this.model = model;
    this.gate = gate;
    this.collector = collector;
  }

  static async open(settings: Readonly<Record<string, string>>): Promise<CanaryBench> {
    const collector = await Collector.open();
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address);
    const [model, gate] = await Promise.all(
      [0, 1].map(() => ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) })),
    );
    if (model === undefined || gate === undefined) throw new Error("There are not two.");
    gate.script([{ reply: { text: "A title" }, times: Number.POSITIVE_INFINITY }]);
    const modelAt = ({ baseUrl }: ModelSimulator) =>
      resolveModel("anthropic:claude-sonnet-5", { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: baseUrl });
    const [person, inspector] = [newToken(SCOPE), newToken({ ...SCOPE, inspect: true })];
    const server = await ServerBench.open({
      agents: canaryAgents(await modelAt(model), await modelAt(gate)),
      settings: {
        ...settings,
        CAIRN_OTEL: "1",
        CAIRN_AUDIT: "audit.log",
        CAIRN_USER_REQUESTS: "100000",
        CAIRN_TENANT_REQUESTS: "100000",
        CAIRN_TOKENS: JSON.stringify([person.entry, inspector.entry]),
      },
    });
    const holder = ({ token }: { token: string }) => new TokenHolder(token, () => server);
    const people = { person: holder(person), inspector: holder(inspector) };
    return new CanaryBench({ server, ...people, model, gate, collector });
  }

  /** Plays a turn until it ends or waits, and searches for canaries during this time. */
  async play(exit: CanaryExit): Promise<void> {
    this.model.script([{ reply: { text: "Hello." } }, ...canarySteps(this.canaries, exit)]);
    const agent = exit === "budget" ? "tight" : "ample";
    const { conversation_id: id } = await this.person.post("/api/conversations", { agent });
    const base = `/api/conversations/${id}`;
    const { turn_id: greeting } = await this.person.post(`${base}/turns`, { message: "Good morning" });
    await this.#until(id, ({ event }) => event === "turn.closed");
    this.#listen(`${base}/events`);
    // The body that `useChat` sends.
    const message = { id: "m1", role: "user", parts: [{ type: "text", text: "Work on it" }] };
    this.#listen("/api/chat", { id, messages: [message] });
    if (exit === "cancelled" || exit === "resumed") {
      await this.#until(id, ({ event, data }) => event === "stream.delta" && data.path?.endsWith("slow.md"));
      await this.sweep(id);
      if (exit === "cancelled") await this.person.post(`${base}/cancel`, {});
      else {
        await this.server.stop();
        await this.server.start();
        this.#listen(CHAT_STREAM.replace("{id}", id));
      }
    }
    const end = exit === "waiting" ? "approval.requested" : "turn.closed";
    const frames = await this.#until(id, ({ event, data }) => event === end && data.body.turn_id !== greeting);
    if (end === "turn.closed")
      expect([exit, frames.at(-1)?.data.body.exit]).toEqual([exit, exit === "resumed" ? "complete" : exit]);
    else await expect.poll(async () => (await this.person.get(base)).approvals).not.toEqual([]);
    expect([exit, this.model.remaining]).toEqual([exit, []]);
    await this.sweep(id, exit === "complete");
  }

  /**
   * For everything in the conversation, calls every endpoint that only reads. A caller with the permission `inspect`
   * finds canaries only where the person is refused, and by reading a path. The end of a turn does not change what a
   * path or a word finds, so only one sweep tries all of these, and the others try a fifth.
   */
  async sweep(id: string, isWhole = false): Promise<void> {
    const targets = await this.#targets(id);
    const [first, ...others] = targets.filter((_, nth) => isWhole || nth % 5 === 0);
    if (first === undefined) throw new Error("There is nothing to ask about.");
    const document = await this.server.get("/openapi.json");
    const calls = [
      ...callsOf(document, first),
      ...others.flatMap((target) => callsOf(document, target)).filter(({ path }) => ASKED.test(path)),
    ].filter(({ method, route }) => method === "GET" && !STREAMS.includes(route));
    for (const stream of STREAMS) this.#listen(stream.replace("{id}", id).replace("{turn}", first.turn));
    const asked = new Map(calls.map((call) => [call.path, call]));
    const refused = new Set<string>();
    for (const call of asked.values()) {
      if (refused.has(call.route)) continue;
      const { status, text } = await this.person.send(call);
      this.#expectNone(call, text);
      expect([call.path, status]).not.toEqual([call.path, 429]);
      if (status === 403) refused.add(call.route);
    }
    await this.#askOverMcp(id, isWhole ? targets : targets.slice(0, 1));
    expect([...refused].sort()).toEqual(
      ["blocks", "export", "requests", "requests/{n}", "timeline"].map((end) => `/api/conversations/{id}/${end}`),
    );
    if (!isWhole) return;
    for (const call of asked.values()) {
      const { status, text } = await this.inspector.send(call);
      expect([call.path, status]).not.toEqual([call.path, 403]);
      if (!refused.has(call.route) && !call.route.endsWith("/read")) this.#expectNone(call, text);
    }
  }

  /** Sweeps over MCP in the same way, with everything that its tools find, read and follow. */
  async #askOverMcp(id: string, targets: readonly CallTarget[]): Promise<void> {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const requestInit = { headers: { authorization: `Bearer ${this.person.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.server.address}/mcp`), { requestInit }));
    const call = async (name: string, args: Record<string, unknown>) => {
      const text = JSON.stringify(await client.callTool({ name, arguments: args }));
      expect([name, args, this.canaries.foundIn(text)]).toEqual([name, args, []]);
      return text;
    };
    for (const { logicalPath, words } of targets) {
      if (logicalPath !== "none") await call("read", { conversation: id, path: logicalPath });
      const found = await call("search", { query: words });
      if (words === "tea") expect(found).toContain("items");
    }
    const { turns } = await this.person.get(`/api/conversations/${id}`);
    for (const { turn_id: turn, closed_at } of turns)
      if (typeof closed_at === "string") await call("follow", { conversation: id, turn });
    expect(await call("list_conversations", {})).toContain(id);
    await client.close();
  }

  /**
   * Makes every change that the API offers, as the person, in a conversation whose turn has ended. Deleting comes last.
   */
  async change(id: string): Promise<void> {
    this.model.script([{ reply: { text: "Very well." }, times: Number.POSITIVE_INFINITY }]);
    const [target] = await this.#targets(id);
    if (target === undefined) throw new Error("There is nothing to change.");
    const calls = (await describedCalls(this.server, target)).filter(({ method }) => method !== "GET");
    const isLast = ({ method, route }: DescribedCall) => method === "DELETE" && route.endsWith("{id}");
    for (const call of [...calls.filter((each) => !isLast(each)), ...calls.filter(isLast)])
      this.#expectNone(call, (await this.person.send(call)).text);
  }

  /** Everything besides answers that contains data of turns: streams, the collector, the audit log, the server log. */
  async expectSilence(): Promise<void> {
    this.#leave.abort();
    await Promise.all(this.#reading);
    await this.server.stop();
    const audit = await readFile(join(this.server.folder, "audit.log"), "utf8");
    const spoken = {
      streams: this.streamed.join(""),
      audit,
      log: this.server.log.join(""),
      telemetry: this.collector.received.join(""),
      titles: this.gate.requests.map(({ bytes }) => bytes).join(""),
    };
    for (const [where, text] of Object.entries(spoken)) {
      expect([where, text.length > 500]).toEqual([where, true]);
      expect([where, this.canaries.foundIn(text)]).toEqual([where, []]);
    }
    expect(spoken.telemetry).toContain("execute_tool react.write");
  }

  async conversations(): Promise<readonly string[]> {
    const { conversations } = await this.person.get("/api/conversations");
    return conversations.map((each: { conversation_id: string }) => each.conversation_id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await Promise.all(this.#reading);
    await this.server[Symbol.asyncDispose]();
    await Promise.all([this.model.close(), this.gate.close(), this.collector[Symbol.asyncDispose]()]);
  }

  #expectNone({ method, path }: DescribedCall, text: string): void {
    expect([method, path, this.canaries.foundIn(text)]).toEqual([method, path, []]);
  }

  /** A target for each path of a block, and a target for each canary of the conversation. */
  async #targets(id: string): Promise<readonly CallTarget[]> {
    const { blocks } = await this.inspector.get(`/api/conversations/${id}/blocks?limit=500`);
    const exported = await this.inspector.send({
      method: "GET",
      path: `/api/conversations/${id}/export`,
      type: null,
      body: null,
    });
    const turn = blocks.at(-1).turn_id;
    const target = { conversation: id, turn, call: "none", n: "1", cursor: "", exported: exported.text };
    const paths = new Set<string>(blocks.flatMap((block: { path: string | null }) => block.path ?? []));
    for (const path of [...paths]) if (path.startsWith("fi:")) paths.add(`${path}@v1`).add(`${path}@v2`);
    const physical = (path: string) => /^fi:(\w+)\.(files\/.+?)(?:@v\d)?$/.exec(path)?.slice(1).join("/") ?? "none";
    return [
      ...[...paths].map((path) => ({ ...target, path: physical(path), logicalPath: path, words: "tea" })),
      ...this.canaries.wordsIn(exported.text).map((words) => ({ ...target, path: "none", logicalPath: "none", words })),
    ];
  }

  async #until(id: string, fits: Parameters<ServerBench["until"]>[1]) {
    return this.server.until(id, fits, 0, { authorization: `Bearer ${this.person.token}` });
  }

  /** Reads a stream to its end, or to the end of the server. */
  #listen(path: string, body?: unknown): void {
    const headers = { authorization: `Bearer ${this.person.token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const read = async () => {
      const response = await this.server.fetch(path, { headers, signal: this.#leave.signal, ...sent });
      if (response.body !== null)
        for await (const frame of readFrames(response.body)) this.streamed.push(`${JSON.stringify(frame)}\n`);
    };
    // The stream ends with the server, or when all followers leave.
    this.#reading.push(read().catch(() => undefined));
  }
}

async function look(settings: Readonly<Record<string, string>>, exits: readonly CanaryExit[]): Promise<void> {
  await using bench = await CanaryBench.open(settings);
  for (const exit of exits) await bench.play(exit);
  const conversations = await bench.conversations();
  expect(conversations).toHaveLength(exits.length);
  // Checks that the canaries exist: a caller with the permission `inspect` finds each of them.
  const found = new Set<string>();
  for (const id of conversations) {
    const path = `/api/conversations/${id}/export`;
    const { text } = await bench.inspector.send({ method: "GET", path, type: null, body: null });
    for (const where of bench.canaries.foundIn(text)) found.add(where);
  }
  expect(bench.canaries.places.filter((where) => !found.has(where) && !NEVER_LANDED.has(where))).toEqual([]);
  const [id = ""] = conversations;
  await bench.change(id);
  await bench.expectSilence();
}

const missing = whyNoPostgres();

/** A caller sees a turn depending on how it ended. What is stored depends only on whether it ended. */
const STORED_EXITS: readonly CanaryExit[] =
  process.env.CAIRN_LONG === "1" ? CANARY_EXITS : ["complete", "waiting", "resumed"];

describe("internal content of the agent", () => {
  it("reaches nobody who may not inspect, however a turn ends", () => look({}, CANARY_EXITS));

  it.skipIf(missing !== null)(
    `reaches nobody who may not inspect, over PostgreSQL${missing === null ? "" : ` (${missing})`}`,
    async () => {
      const postgres = await startPostgres({ sync: false });
      try {
        await look({ CAIRN_DATABASE_URL: await postgres.createDatabase() }, STORED_EXITS);
      } finally {
        await postgres.close();
      }
    },
  );
});
