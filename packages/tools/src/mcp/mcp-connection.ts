/**
 * One MCP server, connected when it is needed.
 *
 * The next call replaces a lost connection. Failed attempts back off: 1 s, 2 s, 4 s, up to a minute; a call in between
 * fails with the time of the next attempt. A call in progress when the connection broke may have had its effect: it is
 * repeated only if that is safe, or if the server certainly never received it.
 */
import { CairnError } from "@cairn/timeline";
import type { CallToolResult, Client, Tool as McpTool } from "@modelcontextprotocol/client";
import type { LoginSession } from "./login-session.ts";
import type { McpServerConfig } from "./mcp-config.ts";
import { isTimeout, type Loss, loginDemand, lossOf, messageOf } from "./mcp-error.ts";
import { openClient } from "./open-client.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface McpCall {
  readonly name: string;
  readonly params: Record<string, unknown>;
  /** Whether making it twice has the same effect as once. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

export interface ConnectionOptions {
  /** The tokens of a user for the server, if it takes any. */
  readonly session?: LoginSession | null;
  readonly now?: () => number;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const MAX_TOOLS = 1_000;
const PROGRESS_FACTOR = 10;

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
  #callsInFlight = 0;
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
    return this.#callsInFlight > 0 ? 0 : this.#now() - this.#usedAt;
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

  /** The tools may have changed since the last `listTools`: the server has said so, or was restarted. */
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

  async call(call: McpCall): Promise<CallToolResult> {
    this.#callsInFlight++;
    try {
      return await this.#callOnceOrTwice(call);
    } finally {
      this.#callsInFlight--;
      this.touch();
    }
  }

  async #callOnceOrTwice(call: McpCall): Promise<CallToolResult> {
    for (let attempt = 1; ; attempt++) {
      const client = await this.#connect(call.signal);
      try {
        return await this.#send(client, call);
      } catch (error) {
        call.signal.throwIfAborted();
        await this.#demandLogin(error);
        const lost = lossOf(error);
        if (lost !== null) await this.#drop(client);
        const cut = lost === null ? null : (this.#cuts.get(client)?.() ?? null);
        if (cut !== null) throw this.#failure("mcp_too_large", cut);
        const isSafe = lost === "unseen" || (lost === "broken" && call.repeatable);
        if (attempt === 1 && isSafe && !this.#closing.signal.aborted) continue;
        throw this.#callFailure(error, lost);
      }
    }
  }

  /** Closes the connection until it is needed again. */
  async rest(): Promise<void> {
    if (this.#client !== null) await this.#drop(this.#client);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connecting?.catch(() => undefined); // The caller that requested the connection got its error.
    if (this.#client !== null) await this.#drop(this.#client);
  }

  async #send(client: Client, { name, params, signal, onProgress }: McpCall): Promise<CallToolResult> {
    const { timeout_ms: timeout } = this.config;
    const toolDefinition = this.#listed.get(name);
    return await client.callTool(
      { name, arguments: params },
      {
        signal,
        timeout,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: timeout * PROGRESS_FACTOR,
        onprogress: ({ progress, total, message }) => {
          onProgress(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`));
        },
        // It says which parameters are also sent as headers.
        ...(toolDefinition === undefined ? {} : { toolDefinition }),
      },
    );
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

  async #open(): Promise<Client> {
    const onListChanged = () => {
      this.#listChanged = true;
    };
    const { client, cutBecause } = await openClient(this.config, {
      signal: this.#closing.signal,
      session: this.#session,
      onListChanged,
    }).catch(async (error: Error) => {
      await this.#demandLogin(error);
      this.#failures++;
      this.#nextAttemptAt = this.#now() + Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 1), MAX_WAIT_MS);
      throw this.#failure("mcp_unavailable", `cannot be reached: ${error.message}`);
    });
    this.#cuts.set(client, cutBecause);
    client.onclose = () => {
      if (this.#client === client) this.#client = null;
    };
    this.#failures = 0;
    this.#nextAttemptAt = 0;
    // A server that was restarted may have other tools.
    if (this.#wasOpen) this.#listChanged = true;
    this.#wasOpen = true;
    this.#client = client;
    return client;
  }

  /** Throws `mcp_login_required` if that is why a request failed. */
  async #demandLogin(error: unknown): Promise<void> {
    if (this.#session === null) return;
    const demand = loginDemand(error);
    if (demand === null) return;
    await this.#session.demandScope(demand.scope);
    throw this.#session.required(demand.scope);
  }

  async #drop(client: Client): Promise<void> {
    if (this.#client === client) this.#client = null;
    await client.close().catch(() => undefined); // It is already broken.
  }

  #callFailure(error: unknown, lost: Loss | null): CairnError {
    if (CairnError.is(error)) return error;
    if (lost === "unseen") return this.#failure("mcp_error", `did not accept the call: ${messageOf(error)}`);
    if (lost !== null)
      return this.#failure(
        "mcp_connection_lost",
        "lost the connection during the call. The outcome of the call is unknown.",
      );
    if (isTimeout(error))
      return this.#failure("mcp_timeout", `did not answer within ${this.config.timeout_ms / 1_000} s.`);
    return this.#failure("mcp_error", `refused the call: ${messageOf(error)}`);
  }

  #failure(code: string, problem: string): CairnError {
    return new CairnError(code, `The MCP server ${this.name} ${problem}`, { server: this.name });
  }
}
