/**
 * Sessions of clients that use a revision of the protocol before 2026-07-28. In these, the server asks a person on the
 * stream of a call, and the answer arrives in another request, so both must reach the same process.
 */
import { randomUUID } from "node:crypto";
import { type Scope, scopeKey } from "@cairn/store";
import {
  isInitializeRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

interface Session {
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
  usedAt: number;
}

export interface SessionLimits {
  /** Sessions of one user; a new one replaces the one that was not used for the longest time. */
  readonly perUser: number;
  readonly idleMs: number;
}

const HEADER = "mcp-session-id";

export class McpSessions {
  /** The one that was used last is at the end. */
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
      const session = await this.#begin(scopeKey(owner), makeServer());
      return session.transport.handleRequest(request, { parsedBody: body });
    }
    const session = id === null ? undefined : this.#sessions.get(id);
    // A session of another user is answered like one that does not exist.
    if (id === null || session?.owner !== scopeKey(owner)) return refusal(id === null ? 400 : 404);
    this.#touch(id, session);
    return session.transport.handleRequest(request, { parsedBody: body });
  }

  async #begin(owner: string, server: McpServer): Promise<Session> {
    const own = [...this.#sessions].filter(([, session]) => session.owner === owner);
    for (const [id] of own.slice(0, Math.max(0, own.length + 1 - this.#limits.perUser))) await this.#end(id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#touch(id, session),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const session = { owner, transport, server, usedAt: 0 };
    await server.connect(transport);
    return session;
  }

  #touch(id: string, session: Session): void {
    session.usedAt = this.#now();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  async #endIdle(): Promise<void> {
    for (const [id, { usedAt }] of this.#sessions) {
      if (this.#now() - usedAt < this.#limits.idleMs) return;
      await this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close();
  }
}

/** A client begins a new session after 404. */
function refusal(status: 400 | 404): Response {
  const message =
    status === 404 ? "Session not found. Begin a new one with `initialize`." : "The header mcp-session-id is missing.";
  return Response.json({ jsonrpc: "2.0", error: { code: -32_001, message }, id: null }, { status });
}
