/**
 * Sessions of clients that use a revision of the protocol before 2026-07-28. In these revisions, the server sends
 * questions on the stream of a call, and answers arrive in other requests. Both must reach the same process.
 */
import { randomUUID } from "node:crypto";
import { type Scope, scopeKey } from "@cairn/store";
import { isInitializeRequest, type McpServer } from "@modelcontextprotocol/server";
import { SessionTransport } from "./session-transport.ts";

interface Session {
  readonly owner: string;
  readonly transport: SessionTransport;
  readonly server: McpServer;
  usedAt: number;
}

export interface SessionLimits {
  /** Maximum number of sessions of one user. Beyond it, a new session replaces the least recently used one. */
  readonly perUser: number;
  readonly idleMs: number;
}

const HEADER = "mcp-session-id";

/** A session with a call in progress is in use. It does not count as idle and is not replaced. */
export class McpSessions {
  /** Sessions by id. The most recently used session comes last. */
  readonly #sessions = new Map<string, Session>();
  readonly #limits: SessionLimits;
  readonly #now: () => number;

  constructor(limits: SessionLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  async serve(request: Request, body: unknown, owner: Scope, makeServer: () => McpServer): Promise<Response> {
    await this.#endIdle();
    const id = request.headers.get(HEADER);
    if (request.method === "POST" && id === null && isInitializeRequest(body)) {
      const session = await this.#begin(scopeKey(owner), makeServer);
      return session === null ? refusal(429) : session.transport.handleRequest(request, { parsedBody: body });
    }
    const session = id === null ? undefined : this.#sessions.get(id);
    // For a session of another user, the answer is the same as for an unknown session.
    if (id === null || session?.owner !== scopeKey(owner)) return refusal(id === null ? 400 : 404);
    this.#touch(id, session);
    return session.transport.handleRequest(request, { parsedBody: body });
  }

  /** Returns null if the owner has the maximum number of sessions and all are in use. */
  async #begin(owner: string, makeServer: () => McpServer): Promise<Session | null> {
    const own = [...this.#sessions].filter(([, session]) => session.owner === owner);
    const surplus = Math.max(0, own.length + 1 - this.#limits.perUser);
    const unused = own.filter(([, { transport }]) => !transport.isBusy);
    if (unused.length < surplus) return null;
    for (const [id] of unused.slice(0, surplus)) await this.#end(id);
    const transport = new SessionTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#touch(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session = { owner, transport, server: makeServer(), usedAt: 0 };
    transport.onAnswered = (id) => {
      if (this.#sessions.has(id)) this.#touch(id, session);
    };
    await session.server.connect(transport);
    return session;
  }

  #touch(id: string, session: Session): void {
    session.usedAt = this.#now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  async #endIdle(): Promise<void> {
    for (const [id, { usedAt, transport }] of this.#sessions) {
      if (this.#now() - usedAt < this.#limits.idleMs) return;
      if (!transport.isBusy) await this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

const REFUSALS = {
  400: "The header mcp-session-id is missing.",
  // After a 404, the protocol requires the client to begin a new session.
  404: "Session not found. Begin a new one with `initialize`.",
  429: "All your sessions have calls in progress. Wait until one ends, or cancel it, then try again.",
};

function refusal(status: keyof typeof REFUSALS): Response {
  const error = { code: -32_001, message: REFUSALS[status] };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status });
}
