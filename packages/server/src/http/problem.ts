/** Converts an error to a response: `{error: {code, message, details?}}` with a matching status. */
import { CairnError } from "@cairn/timeline";

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
  // `newer_version`: the program is outdated, the request is fine; another server may be newer already.
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

/** Seconds after which a retry makes sense, by code; an error may override it (`retry_after`). */
const RETRY_AFTER: Readonly<Record<string, number>> = {
  queue_full: 2,
  busy: 1,
  lease_held: 1,
  draining: 5,
  newer_version: 5,
  closed: 5,
  issuer_unreachable: 5,
};

/** The headers of an error's response: how to sign in, what is allowed, when to try again, and whether to reconnect. */
function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (!CairnError.is(error)) return {};
  const { methods, size, retry_after, limit } = error.details;
  const retry = typeof retry_after === "number" ? { "retry-after": String(retry_after) } : {};
  switch (error.code) {
    case "body_of_get":
      return { connection: "close" };
    case "unauthorized":
      return { "www-authenticate": "Bearer" };
    case "method_not_allowed":
      return Array.isArray(methods) ? { allow: methods.join(", ") } : {};
    case "range_not_satisfiable":
      return typeof size === "number" ? { "content-range": `bytes */${size}` } : {};
    case "over_share":
      // Pipelined requests after this one are not read.
      return limit === "requests" ? { ...retry, connection: "close" } : retry;
    default:
      return retry;
  }
}

/** Internal errors reveal nothing to the client; the log has the details under the request id. */
export function problemResponse(error: unknown, requestId: string): Response {
  const known = CairnError.is(error);
  const code = known ? error.code : "internal";
  const status = known ? statusOf(code) : 500;
  const message = known
    ? error.message
    : `The server failed to handle the request. Its log has the details under request id ${requestId}.`;
  const details = known && Object.keys(error.details).length > 0 ? { details: error.details } : {};
  // The code that the contract with the web app uses for an overloaded server.
  const shown = code === "queue_full" ? "busy" : code;
  const retry = RETRY_AFTER[code];
  return new Response(JSON.stringify({ error: { code: shown, message, ...details } }), {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
      ...headersOf(error),
    },
  });
}
