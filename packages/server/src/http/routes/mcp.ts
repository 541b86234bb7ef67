/** The endpoint `/mcp`: the agents as an MCP server for other programs, which use tokens of the API. */
import { statusOf } from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import type { ServerContext as McpContext, McpServer } from "@modelcontextprotocol/server";
import { type AuditLog, newConversationId, SecretBox } from "cairn-agent/process";
import { agentsOf } from "../../auth/caller.ts";
import type { Calling, DoneCall } from "../../mcp/agent-server.ts";
import type { RequestStates } from "../../mcp/request-states.ts";
import { MAX_JSON_BYTES } from "../body-room.ts";
import type { App, ServerContext } from "../endpoint.ts";
import { readJson } from "../read-body.ts";
import type { ServerParts } from "./server-parts.ts";

const PATH = "/mcp";

export interface McpRouteOptions {
  readonly audit: AuditLog | null;
  /** Adds the application's own tools, resources and prompts. */
  readonly extend: (server: McpServer, states: RequestStates) => void;
  /** Maximum number of calls of one user that may be in progress. */
  readonly callsAtOnce: number;
}

export function mcpRoute(app: App, parts: ServerParts, { audit, extend, callsAtOnce }: McpRouteOptions): void {
  /** The caller of each request, because a session has many requests. */
  const callers = new WeakMap<Request, Calling>();
  // Loads the MCP library with the first request, so that the server starts faster.
  const load = async () => {
    const [{ agentServer }, { McpEndpoint }, { queuedTalk }, { RequestStates }] = await Promise.all([
      import("../../mcp/agent-server.ts"),
      import("../../mcp/mcp-endpoint.ts"),
      import("../../mcp/queued-talk.ts"),
      import("../../mcp/request-states.ts"),
    ]);
    return { agentServer, endpoint: new McpEndpoint(callsAtOnce, parts.now), queuedTalk, RequestStates };
  };
  let loaded: ReturnType<typeof load> | null = null;
  const box = new SecretBox(parts.settings, parts.store);
  const onFailure = (error: unknown) => parts.log.error("A call over MCP failed.", error);

  app.on(["POST", "DELETE"], [PATH], async (context) => {
    context.set("route", PATH);
    const request = context.req.raw;
    const body = request.method === "POST" ? await readJson(request, MAX_JSON_BYTES, context.get("intake")) : undefined;
    loaded ??= load();
    const { agentServer, endpoint, queuedTalk, RequestStates } = await loaded;
    const owner = context.get("scope");
    const states = new RequestStates(() => box.signingKey("mcp request states"), owner);
    const caller = context.get("caller");
    const agents = agentsOf(caller, parts.agents);
    callers.set(request, {
      talk: (conversation, agent) => queuedTalk({ ...parts, agents }, { ...owner, conversation }, { agent, caller }),
      takeRoom: (conversation, copies) => context.get("takeRoom")({ ...owner, conversation }, copies),
      isAllowed: context.get("isAllowed"),
      record: async (call) => {
        if (audit !== null) await audit.write(lineOf(context, call, parts.now()));
      },
    });
    const makeServer = () => {
      const server = agentServer({
        store: parts.store,
        owner,
        agents: agents.all.map(({ name }) => name),
        version: parts.version,
        states,
        newConversation: () => newConversationId(parts.now()),
        callingOf: (called) => callingOf(callers, called),
        onFailure,
      });
      extend(server, states);
      return server;
    };
    const isAllowed = context.get("isAllowed");
    return endpoint.serve({ request, body, owner, isAllowed, makeServer, onFailure });
  });
  app.all(PATH, () => {
    throw new CairnError("method_not_allowed", "This endpoint accepts POST and DELETE only.", {
      methods: ["POST", "DELETE"],
    });
  });
}

function callingOf(callers: WeakMap<Request, Calling>, { http }: McpContext): Calling {
  const calling = http?.req === undefined ? undefined : callers.get(http.req);
  if (calling === undefined) throw new CairnError("corrupt", "The MCP call came without its HTTP request.");
  return calling;
}

/** The audit line of a call, which names the tool in its route. */
function lineOf(context: ServerContext, { tool, conversation, turn, created, consent, error }: DoneCall, now: number) {
  const { tenant, project, user } = context.get("scope");
  const { via = null, subject = null, credential = null } = context.get("caller") ?? {};
  return {
    time: new Date(now).toISOString(),
    request: context.get("requestId"),
    tenant,
    project,
    user,
    via,
    subject,
    credential,
    method: "POST",
    route: `${PATH} ${tool}`,
    conversation: conversation ?? null,
    turn: turn ?? null,
    consent: consent === undefined || Object.keys(consent).length === 0 ? null : consent,
    created: created === true ? (conversation ?? null) : null,
    status: error === undefined ? 200 : statusOf(error),
  };
}
