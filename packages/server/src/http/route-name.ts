/** The name of a request in logs and metrics: the path pattern of its endpoint. */
import type { Context } from "hono";
import type { ServerEnvironment } from "./environment.ts";

/** The name of all requests for files of the app. */
export const FILES = "files";

/** The endpoint, or whether the request was for a file of the app or was rejected. */
export function routeName(context: Context<ServerEnvironment>): string {
  const route = context.get("route");
  if (route !== undefined) return route;
  const { path } = context.req;
  return path.startsWith("/api/") || path === "/metrics" || path === "/mcp" ? "none" : FILES;
}
