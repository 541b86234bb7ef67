/** Converts an error to a response: `{error: {code, message, details?}}` with a matching status. */
import { RETRY_AFTER, shownCode, statusOf } from "@cairn/api";
import { CairnError } from "@cairn/timeline";

/** Headers of an error response: how to sign in, which methods are allowed, when to retry, whether to reconnect. */
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
      // Pipelined requests after this request are not read.
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
  const retry = RETRY_AFTER[code];
  return new Response(JSON.stringify({ error: { code: shownCode(code), message, ...details } }), {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
      ...headersOf(error),
    },
  });
}
