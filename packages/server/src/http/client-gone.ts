/**
 * A client may disconnect in the middle of its request, as a phone does that loses its connection. This is not a
 * failure of the server, so logs and metrics count it separately.
 */
import { CairnError } from "@cairn/timeline";
import type { ServerContext } from "./endpoint.ts";

/** The error unchanged, or `client_gone` if it only says that the client disconnected. */
export function orClientGone(error: unknown, { env }: ServerContext): unknown {
  const isGone = env.incoming?.socket.destroyed === true;
  if (!isGone || !(error instanceof Error)) return error;
  const isOfTheLine = error.name === "AbortError" || ("code" in error && error.code === "ECONNRESET");
  return isOfTheLine
    ? new CairnError("client_gone", "The client closed the connection before the response was sent.")
    : error;
}
