/** Error responses: the HTTP status of every error code, and when a client may try again. */
import { z } from "zod";

const CODES_OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  400: ["body_of_get"],
  401: ["unauthorized"],
  403: ["forbidden"],
  404: ["not_found"],
  405: ["method_not_allowed"],
  408: ["too_slow"],
  409: ["conversation_exists", "conflict", "not_settled", "lease_held", "lease_lost", "idempotency_conflict"],
  413: ["too_large"],
  415: ["unsupported_media_type"],
  416: ["range_not_satisfiable"],
  422: ["corrupt"],
  429: ["queue_full", "over_share"],
  // The status that proxies use for a client that disconnected. It is only seen in the log.
  499: ["client_gone"],
  502: ["mcp_error", "mcp_unavailable", "mcp_timeout", "mcp_login_failed", "mcp_login_required", "mcp_too_large"],
  // `newer_version`: the request is valid, but this program is too old. Another server may already be newer.
  503: ["busy", "draining", "no_room", "newer_version", "issuer_unreachable", "closed"],
  507: ["full", "storage_full"],
};
const STATUS_OF_CODE = new Map(
  Object.entries(CODES_OF_STATUS).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)])),
);

/** Any other code, such as `io`, is a failure of the server and gets status 500. */
export function statusOf(code: string): number {
  return STATUS_OF_CODE.get(code) ?? (/^(?:bad_|unsafe_|selector_)/.test(code) ? 400 : 500);
}

/** Replaces an error's code in the response: clients know a full queue as an overloaded server. */
export function shownCode(code: string): string {
  return code === "queue_full" ? "busy" : code;
}

/** Seconds after which a client should retry, by error code. An error can override them with `retry_after`. */
export const RETRY_AFTER: Readonly<Record<string, number>> = {
  queue_full: 2,
  busy: 1,
  lease_held: 1,
  draining: 5,
  newer_version: 5,
  closed: 5,
  issuer_unreachable: 5,
};

/** Whether the same request may succeed later. Proxies also send statuses from 502 on. */
export function isPassingStatus(status: number): boolean {
  return status === statusOf("queue_full") || status >= 502;
}

export const problemSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
});

export const problem = <const D extends string>(description: D) => ({ description, schema: problemSchema }) as const;

/** The error responses that every endpoint for a conversation may send. */
export const usualProblems = {
  400: problem("The request is not valid."),
  401: problem("The token is missing or unknown."),
  404: problem("Not found in the caller's scope."),
  429: problem(
    "A limit of the user or the tenant is reached. `details` names it, `retry-after` says when to come back.",
  ),
  507: problem("There is no space for the write: the storage of the user or tenant is full, or the server's disk is."),
} as const;

/** The JSON response of a success, and the usual error responses. */
export const okOrProblem = <const D extends string, const S extends z.ZodType>(description: D, schema: S) =>
  ({ 200: { description, schema }, ...usualProblems }) as const;
