/** MCP over HTTP for both eras of the protocol: 2026-07-28 without sessions, and the revisions before with sessions. */
import type { Scope } from "@cairn/store";
import { createMcpHandler, isLegacyRequest, type McpServer } from "@modelcontextprotocol/server";
import { guardStream } from "./guard-stream.ts";
import { McpSessions } from "./mcp-sessions.ts";

export interface McpExchange {
  readonly request: Request;
  /** The JSON of a POST request. */
  readonly body: unknown;
  readonly owner: Scope;
  readonly isAllowed: () => Promise<boolean>;
  readonly makeServer: () => McpServer;
  /** Reports an error that is not the caller's. */
  readonly onFailure: (error: unknown) => void;
}

const SESSION_LIMITS = { perUser: 16, idleMs: 30 * 60_000 };

export class McpEndpoint {
  readonly #sessions: McpSessions;

  constructor(now: () => number) {
    this.#sessions = new McpSessions(SESSION_LIMITS, now);
  }

  async serve({ request, body, owner, isAllowed, makeServer, onFailure }: McpExchange): Promise<Response> {
    const isLegacy = request.method !== "POST" || (await isLegacyRequest(request, body));
    const response = isLegacy
      ? await this.#sessions.serve(request, body, owner, makeServer)
      : await createMcpHandler(makeServer, { legacy: "reject" }).fetch(request, { parsedBody: body });
    return guardStream(response, isAllowed, onFailure);
  }
}
