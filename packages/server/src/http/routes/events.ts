/** A conversation live, as server-sent events. */

import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { z } from "@hono/zod-openapi";
import { type App, endpoint } from "../endpoint.ts";
import { openEventStream } from "../event-stream.ts";
import { conversationParams, countInQuery, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

export function eventRoutes(app: App, parts: ServerParts): void {
  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/events", tag: "Turns", summary: "Follows a conversation" },
      params: conversationParams,
      query: z.object({ after: countInQuery(0, Number.MAX_SAFE_INTEGER).optional() }),
      headers: z.object({ "last-event-id": z.string().optional() }),
      answers: {
        200: {
          description:
            "Server-sent events: every journal event after `after` or `Last-Event-ID`, with its seq as id; between them, without id, `stream.delta`, `stream.ended`, `stream.discarded`, `progress`, `model.waiting`, `compaction.started`, `status` and `lagging`.",
          mime: "text/event-stream",
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const key: ConversationKey = { ...context.get("scope"), conversation: params.id };
      const after = lastEventId(context.req.header("last-event-id")) ?? query.after ?? 0;
      return new Response(await openEventStream(parts, key, after, context.get("isAllowed")), {
        headers: {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-store",
          // A proxy that buffers would delay events.
          "x-accel-buffering": "no",
        },
      });
    },
  );
}

function lastEventId(given: string | undefined): number | null {
  if (given === undefined || given === "") return null;
  if (!/^\d{1,15}$/.test(given)) throw new CairnError("bad_request", "Last-Event-ID must be the seq of an event.");
  return Number(given);
}
