/**
 * Writes a line to the audit log for every API call that changes something or reads from conversations, and for
 * rejected callers (`audit/refusals.ts`). Data about the server itself (`/api/meta`) is not audited. MCP calls write
 * their own lines, because not every HTTP request to `/mcp` contains a call.
 */
import { CairnError } from "@cairn/timeline";
import type { AuditLog } from "cairn-agent/process";
import type { Log } from "cairn-agent/turns";
import type { MiddlewareHandler } from "hono";
import { Refusals } from "../audit/refusals.ts";
import type { ServerEnvironment } from "./environment.ts";

const TOO_MANY = 429;
const OWN_LINES: ReadonlySet<string> = new Set(["/api/meta", "/mcp"]);

export function auditRequests(
  audit: AuditLog,
  { log, now }: { readonly log: Log; readonly now: () => number },
): MiddlewareHandler<ServerEnvironment> {
  const refusals = new Refusals(audit, (error) => log.error("The audit log could not be written.", error));
  return async (context, next) => {
    await next();
    const { method } = context.req;
    const route = context.get("route") ?? null;
    const { status } = context.res;
    if (method === "OPTIONS" || (OWN_LINES.has(route ?? "") && status < 400)) return;
    const { tenant = null, project = null, user = null } = context.get("scope") ?? {};
    const { via = null, subject = null, credential = null } = context.get("caller") ?? {};
    const request = context.get("requestId");
    const time = new Date(now()).toISOString();
    const who = { tenant, project, user, via, subject, credential };
    const what = {
      conversation: context.get("conversation") ?? null,
      turn: context.get("turn") ?? null,
      consent: context.get("consent") ?? null,
      created: context.get("created") ?? null,
    };
    try {
      const line = { time, request, ...who, method, route, ...what, status };
      await (via === null || status === TOO_MANY ? refusals.note(line) : audit.write(line));
    } catch (error) {
      log.error("The audit log could not be written.", error, { request });
      await context.res.body?.cancel();
      throw new CairnError(
        "audit_failed",
        "The audit log could not be written, so the server withholds the response. Check the disk and the log file, then try again.",
      );
    }
  };
}
