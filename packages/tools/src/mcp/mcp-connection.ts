/**
 * One MCP server, connected when it is needed.
 *
 * The next call replaces a lost connection. Failed attempts back off: 1 s, 2 s, 4 s, up to a minute; a call in between
 * fails with the time of the next attempt. A call in progress when the connection broke may have had its effect: the
 * call is repeated only if that is safe, or if the server certainly never received it. The repeated call waits for a
 * server that restarts.
 */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type Answered, Asking, unlessAborted } from "@cairn/agent";
import { backOff, CairnError, isJsonObject, type Json } from "@cairn/timeline";
import {
  type CallToolResult,
  type Client,
  type ElicitResult,
  type GetPromptResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type Tool as McpTool,
  type Prompt,
  type ReadResourceResult,
} from "@modelcontextprotocol/client";
import { elicitResult, nextRound, openQuestion, questionOf, type Rounds, readRounds, stateOf } from "./elicitation.ts";
import type { LoginSession } from "./login-session.ts";
import type { McpServerConfig } from "./mcp-config.ts";
import { type Loss, loginDemand, lossOf, messageOf } from "./mcp-error.ts";
import { openClient } from "./open-client.ts";
import { RunningCall } from "./running-call.ts";
import { type McpCall, type SentCall, sendCall } from "./send-call.ts";
import { cancelTask } from "./tool-task.ts";

export interface ConnectionOptions {
  /** The tokens of a user for the server, if it takes any. */
  readonly session?: LoginSession | null;
  readonly now?: () => number;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const MAX_TOOLS = 1_000;
const PROGRESS_FACTOR = 10;
/** Maximum number of times that a server may want a call to be made again. */
const MAX_ROUNDS = 20;

export class McpConnection {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly #session: LoginSession | null;
  readonly #now: () => number;
  #client: Client | null = null;
  /** Why this side closed the connection of a client, if it did. */
  readonly #cuts = new WeakMap<Client, () => string | null>();
  #connecting: Promise<Client> | null = null;
  #failures = 0;
  #nextAttemptAt = 0;
  #wasOpen = false;
  #listChanged = false;
  /** Whether a call on this connection ended before the server answered it. Questions for this call may still come. */
  #isDeserted = false;
  /** Whether a question was refused on this connection because `#isDeserted` was set. */
  #wasAskedThen = false;
  readonly #running = new Set<RunningCall>();
  /** The calls that wait for an answer, by the state of their question. */
  readonly #held = new Map<string, RunningCall>();
  #usedAt: number;
  /** The tools by name, as the server listed them last. */
  #listed: ReadonlyMap<string, McpTool> = new Map();
  readonly #closing = new AbortController();

  constructor(name: string, config: McpServerConfig, { session = null, now = Date.now }: ConnectionOptions = {}) {
    this.name = name;
    this.config = config;
    this.#session = session;
    this.#now = now;
    this.#usedAt = now();
  }

  /** Time since the last use: a call, or a turn that began. 0 during a call. */
  get idleMs(): number {
    return this.#running.size > 0 ? 0 : this.#now() - this.#usedAt;
  }

  touch(): void {
    this.#usedAt = this.#now();
  }

  get isConnected(): boolean {
    return this.#client !== null;
  }

  /** Whether the last attempt to connect failed. */
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** Whether the tools may have changed since the last `listTools`: the server has said so, or was restarted. */
  get listChanged(): boolean {
    return this.#listChanged;
  }

  async listTools(signal: AbortSignal): Promise<McpTool[]> {
    const client = await this.#connect(signal);
    this.#listChanged = false;
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const options = { signal, timeout: this.config.connect_timeout_ms, cacheMode: "refresh" } as const;
    const { tools } = await client.listTools({}, options).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (lossOf(error) !== null) await this.#drop(client);
      this.#listChanged = true;
      await this.#demandLogin(error);
      throw this.#failure("mcp_unavailable", `did not list its tools: ${messageOf(error)}`);
    });
    const taken = tools.slice(0, MAX_TOOLS);
    this.#listed = new Map(taken.map((tool) => [tool.name, tool]));
    return taken;
  }

  /** Reads a resource that the server named in a result. */
  async readResource(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await this.#request(`did not return ${uri.slice(0, 200)}`, signal, async (client, options) => {
      if (client.getServerCapabilities()?.resources === undefined)
        throw new Error("It does not allow clients to read its resources.");
      return await client.readResource({ uri }, options);
    });
  }

  async listPrompts(signal: AbortSignal): Promise<readonly Prompt[]> {
    return await this.#request("did not list its prompts", signal, async (client, options) => {
      if (client.getServerCapabilities()?.prompts === undefined) return [];
      return (await client.listPrompts({}, { ...options, cacheMode: "refresh" })).prompts;
    });
  }

  async getPrompt(
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<GetPromptResult> {
    return await this.#request(`did not fill in its prompt ${name.slice(0, 200)}`, signal, (client, options) =>
      client.getPrompt({ name, arguments: { ...given } }, options),
    );
  }

  /** Makes a request outside of a call. */
  async #request<T>(
    problem: string,
    signal: AbortSignal,
    send: (client: Client, options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect(signal);
    this.touch();
    return await send(client, { signal, timeout: this.config.timeout_ms }).catch(async (error: unknown) => {
      signal.throwIfAborted();
      if (lossOf(error) !== null) await this.#drop(client);
      await this.#demandLogin(error);
      throw this.#failure("mcp_error", `${problem}: ${messageOf(error)}`);
    });
  }

  /** Makes a call, or continues it with the answer to its question. */
  async call(call: McpCall): Promise<CallToolResult | Asking> {
    const { answered } = call;
    if (answered === undefined) return await this.#begin(call, null);
    const rounds = readRounds(answered.state);
    if (rounds === null) return await this.#follow(this.#answerHeld(answered), call, 0);
    const key = openQuestion(rounds) ?? "";
    return await this.#goOn(call, { ...rounds, answers: { ...rounds.answers, [key]: elicitResult(answered) } });
  }

  /** Gives up a call that waits for an answer. Its task is cancelled at the server, also after a restart of Cairn. */
  withdraw(state: Json): void {
    const running = this.#held.get(heldKey(state));
    running?.cancel(new CairnError("tool_cancelled", "The turn was cancelled."));
    this.#held.delete(heldKey(state));
    const task = readRounds(state)?.task;
    if (task === undefined) return;
    this.#connect(this.#closing.signal)
      .then((client) => cancelTask(task, client, this.config.timeout_ms))
      .catch(() => undefined); // The call has already ended on this side.
  }

  /** Asks the next question, or makes the call again with all answers. */
  async #goOn(call: McpCall, rounds: Rounds): Promise<CallToolResult | Asking> {
    const key = openQuestion(rounds);
    if (key !== undefined) return new Asking(questionOf(rounds.asked[key]), stateOf(rounds));
    if (rounds.round > MAX_ROUNDS)
      throw this.#failure("mcp_error", `requested further input more than ${MAX_ROUNDS} times during one call.`);
    return await this.#begin(call, rounds);
  }

  async #begin({ answered: _, ...call }: McpCall, rounds: Rounds | null): Promise<CallToolResult | Asking> {
    const { timeout_ms: timeoutMs } = this.config;
    // After a refused question, a new connection is made, on which the server can ask.
    if (this.#wasAskedThen && this.#running.size === 0) await this.rest();
    const running = new RunningCall({ server: this.name, timeoutMs, factor: PROGRESS_FACTOR });
    this.#running.add(running);
    const sent = { ...call, signal: running.signal, running, rounds };
    running.start(
      this.#callOnceOrTwice(sent).finally(() => {
        this.#running.delete(running);
        this.touch();
      }),
    );
    return await this.#follow(running, call, rounds?.round ?? 0);
  }

  async #follow(running: RunningCall, call: McpCall, round: number): Promise<CallToolResult | Asking> {
    const step = await running.next(call.signal);
    if ("result" in step) {
      const { result } = step;
      return isInputRequiredResult(result)
        ? await this.#goOn(call, nextRound(result, round + 1, running.task))
        : result;
    }
    const held = randomUUID();
    this.#held.set(held, running);
    return new Asking(questionOf(step.question), { held });
  }

  #answerHeld({ state, ...answered }: Answered): RunningCall {
    const running = this.#held.get(heldKey(state));
    this.#held.delete(heldKey(state));
    if (running === undefined)
      throw this.#failure(
        "mcp_question_lost",
        "asked a question, and its connection ended before the answer. The outcome of the call is unknown.",
      );
    running.answer(elicitResult(answered));
    return running;
  }

  /**
   * Asks a question of a revision that does not say to which call a question belongs: only while there is a single
   * call, and no earlier call ended without an answer of the server. The users of a connection may differ.
   */
  async #ask(params: unknown): Promise<ElicitResult> {
    const [running, ...others] = this.#running;
    this.#wasAskedThen ||= this.#isDeserted;
    if (this.#isDeserted || running === undefined || others.length > 0) return { action: "cancel" };
    questionOf(params);
    return await running.ask(params);
  }

  async #callOnceOrTwice(call: SentCall): Promise<CallToolResult | InputRequiredResult> {
    let before: Loss | null = null;
    for (let attempt = 1; ; attempt++) {
      const client = await (before === "broken" ? this.#reconnect(call.signal) : this.#connect(call.signal));
      try {
        return await sendCall(client, call, this.#listed.get(call.name), this.config.timeout_ms);
      } catch (error) {
        this.#isDeserted ||= call.signal.aborted && this.#client === client;
        call.signal.throwIfAborted();
        await this.#demandLogin(error);
        const lost = lossOf(error);
        if (lost !== null) await this.#drop(client);
        const cut = lost === null ? null : (this.#cuts.get(client)?.() ?? null);
        if (cut !== null) throw this.#failure("mcp_too_large", cut);
        // A call that runs as a task is also safe, because its outcome can be requested on a new connection.
        const isSafe = lost === "unseen" || (lost === "broken" && (call.repeatable || call.running.task !== null));
        if (attempt > 1 || !isSafe || call.running.isAsking || this.#closing.signal.aborted)
          throw this.#callFailure(error, lost);
        before = lost;
      }
    }
  }

  /** Closes the connection. The next call opens it again. */
  async rest(): Promise<void> {
    if (this.#client !== null) await this.#drop(this.#client);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting?.catch(() => undefined); // The caller that requested the connection got its error, so it is ignored here.
    if (this.#client !== null) await this.#drop(this.#client);
  }

  async #connect(signal: AbortSignal): Promise<Client> {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted) throw this.#failure("mcp_unavailable", "is closed.");
    if (this.#client !== null) return this.#client;
    const wait = this.#nextAttemptAt - this.#now();
    if (this.#connecting === null && wait > 0)
      throw this.#failure(
        "mcp_unavailable",
        `cannot be reached. The next attempt is made in ${Math.ceil(wait / 1_000)} s.`,
      );
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null;
    });
    return await unlessAborted(this.#connecting, signal);
  }

  /** A server that was lost during a call may be restarting, so it gets the time of a connection to return. */
  async #reconnect(signal: AbortSignal): Promise<Client> {
    const until = this.#now() + this.config.connect_timeout_ms;
    for (;;) {
      try {
        return await this.#connect(signal);
      } catch (error) {
        signal.throwIfAborted();
        const isAway = CairnError.is(error) && error.code === "mcp_unavailable" && !this.#closing.signal.aborted;
        if (!isAway || this.#nextAttemptAt > until) throw error;
        await setTimeout(Math.max(0, this.#nextAttemptAt - this.#now()), undefined, {
          signal: AbortSignal.any([signal, this.#closing.signal]),
        }).catch(() => undefined); // The next attempt reports the reason of the abort.
      }
    }
  }

  async #open(): Promise<Client> {
    const onListChanged = () => {
      this.#listChanged = true;
    };
    const { client, cutBecause } = await openClient(this.config, {
      signal: this.#closing.signal,
      session: this.#session,
      onListChanged,
      onQuestion: (params) => this.#ask(params),
    }).catch(async (error: Error) => {
      await this.#demandLogin(error);
      this.#failures++;
      this.#nextAttemptAt = this.#now() + backOff(this.#failures, FIRST_WAIT_MS, MAX_WAIT_MS);
      throw this.#failure("mcp_unavailable", `cannot be reached: ${error.message}`);
    });
    this.#cuts.set(client, cutBecause);
    client.onclose = () => {
      if (this.#client === client) this.#client = null;
    };
    this.#failures = 0;
    this.#nextAttemptAt = 0;
    // The list counts as changed, because a server that was restarted may have other tools.
    if (this.#wasOpen) this.#listChanged = true;
    this.#wasOpen = true;
    this.#isDeserted = false;
    this.#wasAskedThen = false;
    this.#client = client;
    return client;
  }

  /** Throws `mcp_login_required` if a request failed because a login is missing. */
  async #demandLogin(error: unknown): Promise<void> {
    if (this.#session === null) return;
    const demand = loginDemand(error);
    if (demand === null) return;
    await this.#session.demandScope(demand.scope);
    throw this.#session.required(demand.scope);
  }

  async #drop(client: Client): Promise<void> {
    if (this.#client === client) this.#client = null;
    await client.close().catch(() => undefined); // The connection is already broken.
  }

  #callFailure(error: unknown, lost: Loss | null): CairnError {
    if (CairnError.is(error)) return error;
    if (lost === "unseen") return this.#failure("mcp_error", `did not accept the call: ${messageOf(error)}`);
    if (lost !== null)
      return this.#failure(
        "mcp_connection_lost",
        "lost the connection during the call. The outcome of the call is unknown.",
      );
    return this.#failure("mcp_error", `refused the call: ${messageOf(error)}`);
  }

  #failure(code: string, problem: string): CairnError {
    return new CairnError(code, `The MCP server ${this.name} ${problem}`, { server: this.name });
  }
}

function heldKey(state: Json): string {
  return isJsonObject(state) && typeof state.held === "string" ? state.held : "";
}
