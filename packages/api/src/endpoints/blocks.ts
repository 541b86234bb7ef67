import { z } from "zod";
import type { Data } from "../definition/data.ts";
import { defineEndpoint } from "../definition/endpoint.ts";
import { conversationParams, countInQuery } from "../definition/fields.ts";
import { okOrProblem } from "../definition/problem.ts";

export const BLOCK_STATES = ["visible", "clipped", "hidden", "pruned", "compacted"] as const;
export type BlockState = (typeof BLOCK_STATES)[number];
const stateSchema = z.enum(BLOCK_STATES);

export const blockSchema = z.object({
  position: z.number().int(),
  seq: z.number().int(),
  turn_id: z.string().nullable(),
  type: z.string(),
  path: z.string().nullable(),
  mime: z.string().nullable(),
  tokens: z.number(),
  version: z.number().int(),
  text: z.string().nullable(),
  cut: z.boolean(),
  meta: z.record(z.string(), z.unknown()),
  state: stateSchema,
  replacement: z.string().nullable(),
  shown_lines: z.number().int().nullable().describe("For a clipped block: number of lines that the model sees"),
});
export type Block = Data<typeof blockSchema>;

export const listBlocks = defineEndpoint({
  method: "get",
  path: "/api/conversations/{id}/blocks",
  tag: "Inspect",
  summary: "Lists blocks",
  needs: "inspect",
  params: conversationParams,
  query: z.object({
    before: countInQuery(0, Number.MAX_SAFE_INTEGER).optional(),
    limit: countInQuery(1, 500).default(100),
    after: countInQuery(-1, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("Blocks after this position; -1 begins with the first block"),
    type: z.string().max(200).optional().describe("Block types, separated by commas"),
    q: z.string().max(1_000).optional().describe("A substring of the text or the path, case-insensitive"),
    turn: z.string().max(200).optional(),
    state: stateSchema.optional(),
  }),
  answers: okOrProblem(
    "Sorted by position, ascending: the last blocks, or those before `before`, or those after `after`. `next` is the position to continue from in the same direction; null at the end.",
    z.object({ blocks: z.array(blockSchema), next: z.number().int().nullable() }),
  ),
});
