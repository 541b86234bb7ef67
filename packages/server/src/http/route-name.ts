/** How a request is named in the log and in metrics: by the endpoint's path pattern. */
import type { Context } from "hono";
import type { ServerEnvironment } from "./environment.ts";

/** The name of all requests for files of the app. */
export const FILES = "files";

/** The endpoint; for requests without one, whether it was a file of the app or was rejected. */
export function routeName(context: Context<ServerEnvironment>): string {
  const route = context.get("route");
  if (route !== undefined) return route;
  const { path } = context.req;
  return path.startsWith("/api/") || path === "/metrics" || path === "/mcp" ? "none" : FILES;
}
