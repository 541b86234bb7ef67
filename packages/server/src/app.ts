/** The server as a function from requests to responses. */
import { randomUUID } from "node:crypto";
import { CairnError } from "@cairn/timeline";
import type { AuditLog, ScopeLimits } from "cairn-agent/process";
import type { Log } from "cairn-agent/turns";
import type { MiddlewareHandler } from "hono";
import { BodyRoom } from "./http/body-room.ts";
import { describeApi } from "./http/describe-api.ts";
import { App, refuseOtherMethods, type ServerContext } from "./http/endpoint.ts";
import type { ServerEnvironment } from "./http/environment.ts";
import { auditRequests } from "./http/middleware/audit-requests.ts";
import { type AccessRules, authenticate } from "./http/middleware/authenticate.ts";
import { limitRequests, requestsAtOnce } from "./http/middleware/limit-requests.ts";
import type { Pace } from "./http/pace.ts";
import { problemResponse, statusOf } from "./http/problem.ts";
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
import { addSecurityHeaders } from "./http/security-headers.ts";
import { serveFiles } from "./http/serve-files.ts";
import type { CutOff } from "./http/stream-body.ts";
import { ViewRoom } from "./http/view-room.ts";
import type { Processor } from "./shares/processor.ts";
import { bodyRoomOf } from "./shares/request-limits.ts";
import { RequestRate } from "./shares/request-rate.ts";

export interface AppOptions extends AccessRules {
  /** The folder of the built web app, or null. */
  readonly webFolder: string | null;
  readonly audit: AuditLog | null;
  /** Minimum speed at which clients must send their requests. */
  readonly pace: Pace;
  readonly processor: Processor;
  readonly limits: Pick<ScopeLimits, "requests" | "shares">;
  /** Adds the application's own parts to the MCP server at `/mcp`. */
  readonly extendMcp?: McpRouteOptions["extend"] | undefined;
  /** `operations`: health checks and metrics. An application that mounts the API has its own. */
  readonly serves: "all" | "api" | "operations";
}

export function composeApp(parts: ServerParts, options: AppOptions): App {
  const app = new App(parts.prefix);
  const rate = new RequestRate(options.limits.requests, () => performance.now());
  app.use(watch(parts, options, rate));
  const { audit } = options;
  const guards = [
    allowOrigins(options.origins),
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
    throw new CairnError("not_found", "There is no such endpoint. See /openapi.json for the list.");
  });
  if (options.webFolder !== null) serveFiles(app, options.webFolder, parts.prefix);
  app.notFound((context) => problemResponse(new CairnError("not_found", "Page not found."), context.get("requestId")));
  app.onError((thrown, context) => {
    const error = orClientGone(thrown, context);
    const id = context.get("requestId");
    if (refusalOf(error) === null)
      parts.log.error("A request failed.", error, { request: id, method: context.req.method, route: routeOf(context) });
    return problemResponse(error, id);
  });
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

/** Gives every request an id, counts it, logs it, and adds common headers. */
function watch(
  parts: ServerParts,
  { pace, processor, limits }: AppOptions,
  rate: RequestRate,
): MiddlewareHandler<ServerEnvironment> {
  const { telemetry, tracing, log, now, settings } = parts;
  const room = new BodyRoom(bodyRoomOf(settings, limits.shares));
  const views = new ViewRoom(bodyRoomOf(settings, limits.shares));
  return async (context, next) => {
    const requestId = randomUUID();
    context.set("requestId", requestId);
    context.set("cutOff", cutOffOf(context, log));
    refuseBodyOfGet(context.req);
    const held = room.open(() => context.get("scope"));
    const arrived = (bytes: number) => rate.noteBytes(context.get("scope"), bytes);
    context.set("intake", { pace, held, arrived, turn: () => processor.enter(context.get("scope")) });
    let leave = () => {};
    context.set("takeRoom", async (key) => {
      leave = await views.enter(key, await parts.store.storedChars(key), context.req.raw.signal);
    });
    const started = now();
    const trace = tracing?.request(context.req.method, context.req.header("traceparent"));
    try {
      await (trace === undefined ? next() : trace.run(next));
    } finally {
      held.release();
      onceSent(context, leave);
    }
    const { method, path } = context.req;
    const { status, headers } = context.res;
    addSecurityHeaders(headers);
    if (path.startsWith("/api/") && !headers.has("cache-control")) headers.set("cache-control", "no-store");
    headers.set("x-request-id", requestId);
    // Nobody reads the body of a HEAD response, so its file or event stream is closed.
    if (method === "HEAD") await context.res.body?.cancel();
    const ms = now() - started;
    const route = routeOf(context);
    trace?.end(route, status);
    telemetry.requestDone(ms / 1000, { method, route, status });
    if (route !== FILES && !route.startsWith("/healthz"))
      log.info("request", { request: requestId, method, route, status, ms });
  };
}

/** Calls `then` when the answer was sent or the client has left; at once where the application sends the answer. */
function onceSent({ env }: ServerContext, then: () => void): void {
  if (env.outgoing === undefined || env.outgoing.closed) then();
  else env.outgoing.once("close", then);
}

/** Runs the endpoint for callers with access that are within their limits. */
function admitRequests(rules: AccessRules, rate: RequestRate): MiddlewareHandler<ServerEnvironment> {
  const check = authenticate(rules);
  const limit = limitRequests(rate);
  return async (context, next) => {
    await check(context);
    const release = await limit(context);
    try {
      await next();
    } finally {
      release();
    }
  };
}

/** The body of a GET request is never read, and one that arrives slowly would keep its connection open. */
function refuseBodyOfGet(request: ServerContext["req"]): void {
  if (request.method !== "GET" && request.method !== "HEAD") return;
  const length = Number(request.header("content-length") ?? 0);
  const hasBody = request.header("transfer-encoding") !== undefined || length > 0;
  if (hasBody) throw new CairnError("body_of_get", "A GET request to this server must not have a body.");
}

/** The code of an error that the request caused; null for a failure of the server. */
function refusalOf(error: unknown): string | null {
  return CairnError.is(error) && statusOf(error.code) < 500 ? error.code : null;
}

/** `client_gone` for an error that only says that the client disconnected: logs and metrics count it separately. */
function orClientGone(error: unknown, { env }: ServerContext): unknown {
  const isGone = env.incoming?.socket.destroyed === true;
  if (!isGone || !(error instanceof Error)) return error;
  const isOfTheLine = error.name === "AbortError" || ("code" in error && error.code === "ECONNRESET");
  return isOfTheLine
    ? new CairnError("client_gone", "The client closed the connection before the response was sent.")
    : error;
}

/** The status was already sent, so the failure can only be logged and shown by closing the connection. */
function cutOffOf(context: ServerContext, log: Log): CutOff {
  return (thrown) => {
    const error = orClientGone(thrown, context);
    const about = { request: context.get("requestId"), method: context.req.method, route: routeOf(context) };
    const code = refusalOf(error);
    if (code === null) log.error("A response was cut off.", error, about);
    else log.info("A response was cut off.", { ...about, code });
    const { outgoing } = context.env;
    outgoing?.destroy();
    return outgoing !== undefined;
  };
}

const FILES = "files";

/** The endpoint; for requests without one, whether it was a file of the app or was rejected. */
function routeOf(context: ServerContext): string {
  const route = context.get("route");
  if (route !== undefined) return route;
  const { path } = context.req;
  return path.startsWith("/api/") || path === "/metrics" || path === "/mcp" ? "none" : FILES;
}

/** Sends CORS headers to pages of the configured origins only. */
function allowOrigins(origins: readonly string[]): MiddlewareHandler<ServerEnvironment> {
  return async (context, next) => {
    const origin = context.req.header("origin");
    const isAllowed = origin !== undefined && origins.includes(origin);
    if (isAllowed && context.req.method === "OPTIONS")
      return context.body(null, 204, {
        ...allowed(origin),
        vary: "origin",
        "access-control-allow-methods": "GET, POST, PATCH, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, idempotency-key, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
        "access-control-max-age": "600",
      });
    await next();
    // The response depends on the origin, even if it is rejected.
    if (origins.length > 0) context.res.headers.append("vary", "origin");
    if (isAllowed) for (const [name, value] of Object.entries(allowed(origin))) context.res.headers.set(name, value);
    return undefined;
  };
}

function allowed(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "content-disposition, content-range, etag, mcp-session-id, retry-after, x-request-id",
    "cross-origin-resource-policy": "cross-origin",
  };
}
