/** Cross-origin requests (CORS): which pages of other sites may read the responses. */
import type { MiddlewareHandler } from "hono";
import type { ServerEnvironment } from "./environment.ts";

/** Sends CORS headers to pages of the configured origins only. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<ServerEnvironment> {
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
    // The response depends on the `Origin` header, even if the origin is rejected, so caches must distinguish origins.
    context.res.headers.append("vary", "origin");
    if (isAllowed) for (const [name, value] of Object.entries(allowed(origin))) context.res.headers.set(name, value);
    return undefined;
  };
}

function allowed(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "cairn-before, content-disposition, content-range, etag, mcp-session-id, retry-after, x-request-id",
    "cross-origin-resource-policy": "cross-origin",
  };
}
