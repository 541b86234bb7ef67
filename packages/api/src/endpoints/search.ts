import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, countInQuery } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";

export const searchHitSchema = z.object({
  seq: z.number().int(),
  position: z.number().int(),
  turn_id: z.string().nullable(),
  type: z.string(),
  path: z.string().nullable(),
  ts: z.string(),
  score: z.number(),
  repeats: z.number().int(),
  excerpt: z.string(),
});
export type SearchHit = Data<typeof searchHitSchema>;

export const searchConversation = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/search",
  tag: "Conversations",
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
  answers: okOrProblem(
    "A page may have fewer than `limit` entries; `next_cursor` is null at the end.",
    z.object({ hits: z.array(searchHitSchema), next_cursor: z.string().nullable() }),
  ),
});
