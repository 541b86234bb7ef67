/**
 * One configured server: a connection that all users share, and one for each user who has logged in. No connection
 * carries requests of two users who have logged in.
 */
import { setTimeout } from "node:timers/promises";
import { unlessAborted } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { ReadResourceResult } from "@modelcontextprotocol/client";
import { isUnreadable, KeptLogin, type Owner, type Secrets } from "./kept-login.ts";
import { beginInApp, finishInApp } from "./login-in-app.ts";
import { LoginSession } from "./login-session.ts";
import type { HttpConfig, McpServerConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";
import { type FilledPrompt, filledPrompt, type ListedPrompt, listedPrompts } from "./mcp-prompt.ts";
import { listOffer, type Offer } from "./server-offer.ts";

/** Maximum wait of a turn for a server that could not be reached before. The attempt continues for the next turn. */
const PATIENCE_MS = 2_000;
/** Maximum wait for the prompts of a server: people wait for the list of all servers. */
const PROMPTS_MS = 5_000;
/** The connection of a user is closed when the user has begun no turn and made no call for this long, and then forgotten. */
const IDLE_MS = 15 * 60_000;
const FORGOTTEN_MS = 24 * 3_600_000;

export interface McpStatus {
  readonly server: string;
  readonly connected: boolean;
  /** Ids of the tools that agents without a login receive. */
  readonly tools: readonly string[];
}

/** The state of a server as a user sees it. */
export interface ServerState {
  readonly server: string;
  /** Whether users can log in at the server. */
  readonly takes_login: boolean;
  readonly logged_in: boolean;
  /** Whether the server offers the user nothing without a login. */
  readonly needs_login: boolean;
  /** How many tools the server offers the user. */
  readonly tools: number;
  readonly problems: readonly string[];
}

interface Entry {
  readonly connection: McpConnection;
  /** The last list of tools from the server; null before the first. */
  offer: Offer | null;
  listing: Promise<Offer> | null;
}

const NOTHING: Offer = { tools: [], problems: [] };

export class McpServer {
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #secrets: Secrets | null;
  readonly #shared: Entry;
  /** Connections of users, by the key of the user. */
  readonly #users = new Map<string, Entry>();
  readonly #closing = new AbortController();

  constructor(name: string, config: McpServerConfig, secrets: Secrets | null) {
    this.#name = name;
    this.#config = config;
    this.#secrets = secrets;
    this.#shared = this.#entry(null);
  }

  status(): McpStatus {
    const { connection, offer } = this.#shared;
    return {
      server: this.#name,
      connected: connection.isConnected,
      tools: offer?.tools.map(({ id }) => id) ?? [],
    };
  }

  /** The tools that the server offers now; if it cannot be reached, those that it offered before. */
  async offer(owner: Owner | null, signal: AbortSignal): Promise<Offer> {
    signal.throwIfAborted();
    const entry = await this.#entryOf(owner).catch((error: unknown) => {
      if (isUnreadable(error)) return error;
      throw error;
    });
    if (isUnreadable(entry))
      return { tools: [], problems: [`The login at the MCP server ${this.#name} cannot be read. ${entry.message}`] };
    entry.connection.touch();
    await this.#closeIdle();
    if (entry.offer !== null && !entry.connection.listChanged) return entry.offer;
    const isKnown = entry.connection.isFailing || entry.offer !== null;
    entry.listing ??= this.#list(entry);
    const listing = entry.listing.catch((error: unknown) => this.#withProblem(entry.offer, owner, error));
    return await unlessAborted(isKnown ? Promise.race([listing, this.#patience(entry)]) : listing, signal);
  }

  /**
   * The state of the server as a user sees it. The reason why the server cannot be reached is shown to operators only:
   * its standard error and its configured headers may be part of the reason.
   */
  async stateFor(owner: Owner, signal: AbortSignal): Promise<ServerState> {
    const { tools, problems, needsLogin = false, isAway = false } = await this.offer(owner, signal);
    const kept = this.#keptLogin(owner, "none");
    return {
      server: this.#name,
      takes_login: kept !== null,
      logged_in: kept !== null && (await kept.read()).tokens !== undefined,
      needs_login: needsLogin,
      tools: tools.length,
      problems: isAway ? [`The MCP server ${this.#name} cannot be reached now.`] : problems,
    };
  }

  /** The address of the login page; null when no login is needed. Throws `bad_request` if it takes no logins. */
  async beginLogin(owner: Owner, redirectUrl: string, signal: AbortSignal): Promise<string | null> {
    const { config, secrets } = this.#loginParts();
    return await beginInApp(this.#name, config, { secrets, owner, redirectUrl, signal });
  }

  async finishLogin(owner: Owner, parameters: URLSearchParams): Promise<void> {
    const { config, secrets } = this.#loginParts();
    await finishInApp(this.#name, config, { secrets, owner }, parameters);
  }

  /** Deletes the login of a user; returns whether a login existed. */
  async logOut(owner: Owner): Promise<boolean> {
    const { config, secrets } = this.#loginParts();
    return await new KeptLogin(secrets, owner, this.#name, config.url, "none").delete();
  }

  /** The prompts of the server for a user; none of a server that cannot be reached. */
  async prompts(owner: Owner, signal: AbortSignal): Promise<readonly ListedPrompt[]> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(PROMPTS_MS)]);
    try {
      return listedPrompts(this.#name, await (await this.#entryOf(owner)).connection.listPrompts(limited));
    } catch (error) {
      signal.throwIfAborted();
      if (!limited.aborted && !CairnError.is(error)) throw error;
      return [];
    }
  }

  async prompt(
    owner: Owner,
    name: string,
    given: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<FilledPrompt> {
    return filledPrompt(this.#name, await (await this.#entryOf(owner)).connection.getPrompt(name, given, signal));
  }

  #loginParts(): { readonly config: HttpConfig; readonly secrets: Secrets } {
    const config = this.#config;
    if (this.#secrets !== null && takesLogin(config)) return { config, secrets: this.#secrets };
    throw new CairnError(
      "bad_request",
      `The MCP server ${this.#name} takes no logins: it is a local process, or its configuration has an authorization header.`,
      { server: this.#name },
    );
  }

  /** Reads a resource with the login of a user. */
  async read(owner: Owner, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    return await (await this.#entryOf(owner)).connection.readResource(uri, signal);
  }

  get name(): string {
    return this.#name;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#shared, ...this.#users.values()].map(({ connection }) => connection.close()));
  }

  async #list(entry: Entry): Promise<Offer> {
    try {
      entry.offer = await listOffer(entry.connection, this.#closing.signal);
      return entry.offer;
    } finally {
      entry.listing = null;
    }
  }

  async #patience(entry: Entry): Promise<Offer> {
    await setTimeout(PATIENCE_MS, undefined, { ref: false });
    return entry.offer ?? NOTHING;
  }

  #withProblem(known: Offer | null, owner: Owner | null, error: unknown): Offer {
    if (!CairnError.is(error)) throw error;
    // Each user has their own login, so without a user it is unknown whether one is missing.
    const isLogin = error.code === "mcp_login_required" && this.#secrets !== null && owner === null;
    const needsLogin = error.code === "mcp_login_required";
    const isAway = error.code === "mcp_unavailable";
    return { tools: known?.tools ?? [], problems: isLogin ? [] : [error.message], needsLogin, isAway };
  }

  async #entryOf(owner: Owner | null): Promise<Entry> {
    const kept = this.#keptLogin(owner);
    if (kept === null) return this.#shared;
    const { tenant, project, user } = kept.owner;
    const key = JSON.stringify([tenant, project, user]);
    const { tokens } = await kept.read();
    const known = this.#users.get(key);
    if (tokens === undefined) {
      // The user has logged out, so the connection is forgotten.
      this.#users.delete(key);
      await known?.connection.rest();
      return this.#shared;
    }
    const entry = known ?? this.#entry(kept);
    this.#users.set(key, entry);
    return entry;
  }

  /** The stored login of a user; null for servers that take none: processes, and servers with a configured header. */
  #keptLogin(owner: Owner | null, unreadable: "error" | "none" = "error"): KeptLogin | null {
    if (owner === null || this.#secrets === null || !takesLogin(this.#config)) return null;
    return new KeptLogin(this.#secrets, owner, this.#name, this.#config.url, unreadable);
  }

  #entry(kept: KeptLogin | null): Entry {
    const session = takesLogin(this.#config) ? new LoginSession(this.#name, this.#config.url, kept) : null;
    const connection = new McpConnection(this.#name, this.#config, { session });
    return { connection, offer: null, listing: null };
  }

  /** Closes idle connections. A running turn opens its connection again. A connection with a call is not idle. */
  async #closeIdle(): Promise<void> {
    for (const [key, entry] of this.#users) {
      const { idleMs } = entry.connection;
      if (idleMs < IDLE_MS) continue;
      entry.offer = null;
      if (idleMs >= FORGOTTEN_MS) this.#users.delete(key);
      await entry.connection.rest();
    }
  }
}

/** A server over HTTP whose configuration does not authorize the requests of all users. */
export function takesLogin(config: McpServerConfig): config is Extract<McpServerConfig, { readonly url: string }> {
  return "url" in config && !Object.keys(config.headers).some((name) => name.toLowerCase() === "authorization");
}
