/** The endpoint that streams a conversation as server-sent events. */
import * as api from "@cairn/api";
import { CairnError } from "@cairn/timeline";
import { type App, endpoint, keyOf } from "../endpoint.ts";
import { openEventStream } from "./event-stream.ts";
import type { ServerParts } from "./server-parts.ts";

export function eventRoutes(app: App, parts: ServerParts): void {
  endpoint(app, api.followConversation, async (context, { params, query }) => {
    const key = keyOf(context, params);
    const after = lastEventId(context.req.header("last-event-id")) ?? query.after ?? 0;
    const { isAllowed, cutOff } = context.var;
    return new Response(await openEventStream(parts, key, { after, isAllowed, cutOff }), {
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        // A proxy that buffers would delay events.
        "x-accel-buffering": "no",
      },
    });
  });
}

function lastEventId(given: string | undefined): number | null {
  if (given === undefined || given === "") return null;
  if (!/^\d{1,15}$/.test(given)) throw new CairnError("bad_request", "Last-Event-ID must be the seq of an event.");
  return Number(given);
}
