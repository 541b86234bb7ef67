/**
 * A client may go away in the middle of its request, as a phone does that loses its line. Nobody is there to be
 * answered and nothing is wrong with the server: its log and its numbers tell such a request apart from a failed one.
 */
import { CairnError } from "@cairn/timeline";
import type { ServerContext } from "./endpoint.ts";

/** The error as it is, or `client_gone` where it only says that the other end of the line is. */
export function orClientGone(error: unknown, { env }: ServerContext): unknown {
  const isGone = env.incoming?.socket.destroyed === true;
  if (!isGone || !(error instanceof Error)) return error;
  const isOfTheLine = error.name === "AbortError" || ("code" in error && error.code === "ECONNRESET");
  return isOfTheLine
    ? new CairnError("client_gone", "The client closed the connection before the response was sent.")
    : error;
}
