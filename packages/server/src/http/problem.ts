/** Converts an error to a response: `{error: {code, message, details?}}` with a matching status. */
import { CairnError } from "@cairn/timeline";

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_slow: 408,
  conversation_exists: 409,
  conflict: 409,
  not_settled: 409,
  lease_held: 409,
  lease_lost: 409,
  idempotency_conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  corrupt: 422,
  queue_full: 429,
  over_share: 429,
  // Only seen in the log; the status that proxies use for it.
  client_gone: 499,
  busy: 503,
  draining: 503,
  no_room: 503,
  body_of_get: 400,
  // The program is outdated, the request is fine; another server may be newer already.
  newer_version: 503,
  issuer_unreachable: 503,
  closed: 503,
  full: 507,
  storage_full: 507,
  blob_missing: 500,
  io: 500,
  read_only: 500,
};

export function statusOf(code: string): number {
  if (Object.hasOwn(STATUS_OF_CODE, code)) return STATUS_OF_CODE[code] ?? 500;
  return /^(?:bad_|unsafe_|selector_)/.test(code) ? 400 : 500;
}

/** Seconds after which it makes sense to come back, by code, unless the error knows better (`retry_after`). */
const RETRY_AFTER: Readonly<Record<string, number>> = {
  queue_full: 2,
  busy: 1,
  lease_held: 1,
  draining: 5,
  newer_version: 5,
  closed: 5,
  issuer_unreachable: 5,
};

/** The headers that HTTP requires with a status. */
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
