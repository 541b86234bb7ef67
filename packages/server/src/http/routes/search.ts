/** Search within one conversation. */
import { z } from "@hono/zod-openapi";
import { type App, endpoint } from "../endpoint.ts";
import { conversationParams, countInQuery, usualProblems } from "../schemas.ts";
import type { ServerParts } from "../server-parts.ts";

const hitSchema = z
  .object({
    seq: z.number().int(),
    position: z.number().int(),
    turn_id: z.string().nullable(),
    type: z.string(),
    path: z.string().nullable(),
    ts: z.string(),
    score: z.number(),
    repeats: z.number().int(),
    excerpt: z.string(),
  })
  .openapi("SearchHit");

export function searchRoutes(app: App, { store }: ServerParts): void {
  endpoint(
    app,
    {
      ...{ method: "get", path: "/api/conversations/{id}/search", tag: "Conversations" },
      summary: "Searches the blocks of a conversation",
      params: conversationParams,
      query: z.object({
        q: z.string().max(1_000),
        match: z
          .enum(["ranked", "all"])
          .default("ranked")
          .describe("ranked: any word matches, best match first. all: every word must match, newest first."),
        type: z.string().max(500).optional().describe("Block types, separated by commas"),
        turn: z.string().max(200).optional(),
        since: z.iso.datetime({ offset: true }).optional().describe("Only blocks from this time or later"),
        until: z.iso.datetime({ offset: true }).optional().describe("Only blocks from before this time"),
        limit: countInQuery(1, 200).default(50),
        cursor: z.string().max(200).optional(),
      }),
      answers: {
        200: {
          description: "A page may have fewer than `limit` entries; `next_cursor` is null at the end.",
          schema: z.object({ hits: z.array(hitSchema), next_cursor: z.string().nullable() }),
        },
        ...usualProblems,
      },
    },
    async (context, { params, query }) => {
      const { q, match, type, turn, since, until, limit, cursor } = query;
      const { items, next } = await store.search(context.get("scope"), q, {
        ...{ conversation: params.id, match, limit, forPeople: true, signal: context.req.raw.signal },
        ...(type === undefined ? {} : { types: type.split(",") }),
        ...(turn === undefined ? {} : { turn }),
        ...(since === undefined ? {} : { since: Date.parse(since) }),
        ...(until === undefined ? {} : { until: Date.parse(until) }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      return context.json({ hits: items.map(({ conversation: _, internal: __, ...hit }) => hit), next_cursor: next });
    },
  );
}
