/** MCP over HTTP: revision 2026-07-28 of the protocol without sessions, and earlier revisions with sessions. */
import { HeldShares } from "@cairn/agent";
import type { Scope } from "@cairn/store";
import {
  createMcpHandler,
  INVALID_REQUEST,
  isJSONRPCRequest,
  isLegacyRequest,
  type McpServer,
} from "@modelcontextprotocol/server";
import { overShare } from "cairn-agent/turns";
import { guardStream } from "./guard-stream.ts";
import { McpSessions } from "./mcp-sessions.ts";

export interface McpExchange {
  readonly request: Request;
  /** The JSON of a POST request. */
  readonly body: unknown;
  readonly owner: Scope;
  readonly isAllowed: () => Promise<boolean>;
  readonly makeServer: () => McpServer;
  /** Reports an error that is not the caller's fault. */
  readonly onFailure: (error: unknown) => void;
}

const SESSION_LIMITS = { perUser: 16, idleMs: 30 * 60_000 };
const RETRY_SECONDS = 1;

export class McpEndpoint {
  readonly #sessions: McpSessions;
  readonly #calls: HeldShares;

  /** `callsAtOnce`: maximum number of calls of one user that run at the same time. */
  constructor(callsAtOnce: number, now: () => number) {
    this.#sessions = new McpSessions(SESSION_LIMITS, now);
    this.#calls = new HeldShares({ user: callsAtOnce, tenant: Infinity, total: Infinity });
  }

  /** Throws `over_share`. */
  async serve(exchange: McpExchange): Promise<Response> {
    const { body, owner, isAllowed, onFailure } = exchange;
    // Refuses batches: only revision 2025-03-26 has them, and the rate limit would count a batch as one request.
    if (Array.isArray(body)) return refuseBatch();
    // Answers to questions and cancellations are never refused, so that a user at the limit can end calls.
    const onEnd = isJSONRPCRequest(body) ? this.#begin(owner) : () => undefined;
    try {
      return guardStream(await this.#answer(exchange), { isAllowed, onFailure, onEnd });
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  async #answer({ request, body, owner, makeServer }: McpExchange): Promise<Response> {
    const isLegacy = request.method !== "POST" || (await isLegacyRequest(request, body));
    return isLegacy
      ? await this.#sessions.serve(request, body, owner, makeServer)
      : await createMcpHandler(makeServer, { legacy: "reject" }).fetch(request, { parsedBody: body });
  }

  /** Counts a call until the returned function is called, at the end of the response's stream. */
  #begin(owner: Scope): () => void {
    const reached = this.#calls.reached(owner);
    if (reached !== null) throw overShare("at_once", reached, RETRY_SECONDS);
    this.#calls.take(owner);
    let isHeld = true;
    return () => {
      if (isHeld) this.#calls.give(owner);
      isHeld = false;
    };
  }
}

function refuseBatch(): Response {
  const message = "Batches are not supported. Send one message per request.";
  return Response.json({ jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null }, { status: 400 });
}
