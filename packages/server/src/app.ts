/** The server as a function from requests to responses: all endpoints, and the middleware before them. */
import { CairnError } from "@cairn/timeline";
import type { AuditLog } from "cairn-agent/process";
import { allowOrigins } from "./http/allow-origins.ts";
import { auditRequests } from "./http/audit-requests.ts";
import { type AccessRules, authenticate } from "./http/authenticate.ts";
import { describeApi } from "./http/describe-api.ts";
import { App, admitRequests, type RequestLimits, refuseOtherMethods, watch } from "./http/endpoint.ts";
import { answerFailure } from "./http/failures.ts";
import { requestsAtOnce } from "./http/limit-requests.ts";
import { problemResponse } from "./http/problem.ts";
import { actionRoutes } from "./http/routes/actions.ts";
import { blockRoutes } from "./http/routes/blocks.ts";
import { branchRoutes } from "./http/routes/branches.ts";
import { chatRoutes } from "./http/routes/chat.ts";
import { conversationRoute } from "./http/routes/conversation.ts";
import { conversationRoutes } from "./http/routes/conversations.ts";
import { eventRoutes } from "./http/routes/events.ts";
import { fileRoutes } from "./http/routes/files.ts";
import { healthRoutes, metricsRoute } from "./http/routes/health.ts";
import { type McpRouteOptions, mcpRoute } from "./http/routes/mcp.ts";
import { mcpServerRoutes } from "./http/routes/mcp-servers.ts";
import { metaRoutes } from "./http/routes/meta.ts";
import { orderRoutes } from "./http/routes/orders.ts";
import { payloadRoutes } from "./http/routes/payloads.ts";
import { portableRoutes } from "./http/routes/portable.ts";
import { requestRoutes } from "./http/routes/requests.ts";
import { searchRoutes } from "./http/routes/search.ts";
import type { ServerParts } from "./http/routes/server-parts.ts";
import { spendingRoutes } from "./http/routes/spending.ts";
import { turnPartRoutes } from "./http/routes/turn-parts.ts";
import { turnRoutes } from "./http/routes/turns.ts";
import { serveFiles } from "./http/serve-files.ts";
import { RequestRate } from "./shares/request-rate.ts";

export interface AppOptions extends AccessRules, RequestLimits {
  /** The folder of the built web app, or null. */
  readonly webFolder: string | null;
  readonly audit: AuditLog | null;
  /** Adds the application's own tools, resources and prompts to the MCP server at `/mcp`. */
  readonly extendMcp?: McpRouteOptions["extend"] | undefined;
  /** `operations`: whether to serve health checks and metrics. An application that mounts the API has its own. */
  readonly serves: "all" | "api" | "operations";
}

export function composeApp(parts: ServerParts, options: AppOptions): App {
  const app = new App(parts.prefix);
  const rate = new RequestRate(options.limits.requests, () => performance.now());
  app.use(watch(parts, options, rate));
  const { audit, origins } = options;
  const guards = [
    ...(origins.length === 0 ? [] : [allowOrigins(origins)]),
    ...(audit === null ? [] : [auditRequests(audit, parts)]),
    admitRequests(options, rate),
  ];
  for (const path of ["/api/*", "/mcp"]) app.use(path, ...guards);
  if (options.serves !== "operations") {
    apiRoutes(app, parts);
    const extend = options.extendMcp ?? (() => undefined);
    mcpRoute(app, parts, { audit, extend, callsAtOnce: requestsAtOnce(rate) });
  }
  if (options.serves !== "api") {
    const check = authenticate(options);
    app.use("/metrics", (context, next) => check(context).then(next));
    metricsRoute(app, parts);
    healthRoutes(app, parts);
  }
  refuseOtherMethods(app);
  app.get("/openapi.json", (context) => context.json(describeApi(app.endpoints, parts.version, parts.prefix)));
  app.all("/api/*", () => {
    throw new CairnError("not_found", "There is no endpoint at this path. See /openapi.json for the list.");
  });
  if (options.webFolder !== null) serveFiles(app, options.webFolder, parts.prefix);
  app.notFound((context) => problemResponse(new CairnError("not_found", "Page not found."), context.get("requestId")));
  app.onError((thrown, context) => answerFailure(parts.log, thrown, context));
  return app;
}

function apiRoutes(app: App, parts: ServerParts): void {
  metaRoutes(app, parts);
  mcpServerRoutes(app, parts);
  spendingRoutes(app, parts);
  conversationRoutes(app, parts);
  searchRoutes(app, parts);
  conversationRoute(app, parts);
  turnRoutes(app, parts);
  turnPartRoutes(app, parts);
  eventRoutes(app, parts);
  actionRoutes(app, parts);
  branchRoutes(app, parts);
  orderRoutes(app, parts);
  portableRoutes(app, parts);
  payloadRoutes(app, parts);
  fileRoutes(app, parts);
  blockRoutes(app, parts);
  requestRoutes(app, parts);
  chatRoutes(app, parts);
}
