/** Requests that fail: the response, if its status was not sent yet, and the line in the log. */
import { statusOf } from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import type { Log } from "cairn-agent/turns";
import type { Context } from "hono";
import type { ServerEnvironment } from "./environment.ts";
import { problemResponse } from "./problem.ts";
import { routeName } from "./route-name.ts";
import type { CutOff } from "./stream-body.ts";

type ServerContext = Context<ServerEnvironment>;

export function answerFailure(log: Log, thrown: unknown, context: ServerContext): Response {
  const error = orClientGone(thrown, context);
  if (refusalOf(error) === null) log.error("A request failed.", error, aboutRequest(context));
  return problemResponse(error, context.get("requestId"));
}

/** The status was already sent. So the failure is logged, and the connection is closed to show it to the client. */
export function cutOffOf(context: ServerContext, log: Log): CutOff {
  return (thrown) => {
    const error = orClientGone(thrown, context);
    const about = aboutRequest(context);
    const code = refusalOf(error);
    if (code === null) log.error("A response was cut off.", error, about);
    else log.info("A response was cut off.", { ...about, code });
    const { outgoing } = context.env;
    outgoing?.destroy();
    return outgoing !== undefined;
  };
}

/** The code of an error that the request caused; null for a failure of the server. */
function refusalOf(error: unknown): string | null {
  return CairnError.is(error) && statusOf(error.code) < 500 ? error.code : null;
}

/** `client_gone` for an error that only says that the client disconnected. It has its own counts and log lines. */
function orClientGone(error: unknown, { env }: ServerContext): unknown {
  const isGone = env.incoming?.socket.destroyed === true;
  if (!isGone || !(error instanceof Error)) return error;
  const isOfTheLine = error.name === "AbortError" || ("code" in error && error.code === "ECONNRESET");
  return isOfTheLine
    ? new CairnError("client_gone", "The client closed the connection before the response was sent.")
    : error;
}

function aboutRequest(context: ServerContext) {
  return { request: context.get("requestId"), method: context.req.method, route: routeName(context) };
}
