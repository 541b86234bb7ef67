/** A request to the model: its parts, its cost, and what the model saw. */
import { z } from "zod";
import type { Data } from "../definition/data.ts";

const count = z.number();

export const modelRequestSchema = z.object({
  n: count.int(),
  seq: count.int(),
  turn_id: z.string().nullable(),
  model: z.string().nullable(),
  purpose: z.enum(["decision", "continuation", "summary"]),
  started_at: z.string(),
  tokens: z.object({ tools: count, system: count, stable: count, tail: count }),
  usage: z.object({
    input_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    output_tokens: count,
  }),
  is_billed: z.boolean().describe("False if the answer was interrupted: `usage` and `cost` are then unknown"),
  is_priced: z.boolean().describe("False if `cost` is 0 because the price of the model is unknown"),
  cost: count,
  sent_bytes: count.nullable(),
  predicted_read: count.nullable(),
  resets: z.array(z.object({ cause: z.string(), blocks: count.optional(), tokens: count.optional() })),
  cold: z
    .object({ cause: z.string(), detail: z.string() })
    .nullable()
    .describe(
      "Why the request should read less from the cache than the one before it left there, although the bytes are the same",
    ),
  miss: z
    .object({
      part: z.enum(["tools", "system", "block"]),
      index: count.int(),
      path: z.string().nullable(),
      cause: z.string(),
      declared: z.boolean(),
      detail: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
    })
    .nullable(),
  checkpoints: z.array(count.int()),
});
export type ModelRequest = Data<typeof modelRequestSchema>;

export const modelMessageSchema = z.object({
  index: count.int(),
  role: z.literal("user"),
  kind: z.enum(["text", "image", "document"]),
  text: z.string(),
  mime: z.string().nullable(),
  positions: z.array(count.int()),
  paths: z.array(z.string()),
  type: z.string().nullable(),
  turn_id: z.string().nullable(),
  tokens: count,
  cost: count,
  hash: z.string(),
  checkpoint: z.boolean(),
  part: z.enum(["stable", "tail"]),
  cache: z.enum(["read", "written", "none"]),
  overlay: z
    .object({
      state: z.enum(["hidden", "pruned", "clipped", "compacted"]),
      by: z.string(),
      path: z.string().nullable(),
      original_text: z.string().optional(),
      turns: z.array(z.string()).optional().describe("The turns that a summary covers"),
    })
    .nullable(),
});
export type ModelMessage = Data<typeof modelMessageSchema>;

export const unseenBlockSchema = z.object({
  before: count.int(),
  position: count.int(),
  path: z.string().nullable(),
  type: z.string(),
  turn_id: z.string().nullable(),
  tokens: count,
  state: z.enum(["hidden", "pruned", "clipped"]),
  by: z.string(),
  original_text: z.string(),
});
export type UnseenBlock = Data<typeof unseenBlockSchema>;

const wireSchema = z.object({ body: z.string(), same: z.boolean().nullable(), difference: z.string().nullable() });
export type Wire = Data<typeof wireSchema>;

export const requestDetailSchema = z.object({
  request: modelRequestSchema,
  system: z.object({ text: z.string(), tokens: count }),
  tools: z.object({ json: z.string(), tokens: count }),
  messages: z.array(modelMessageSchema),
  unseen: z
    .array(unseenBlockSchema)
    .describe("Hidden blocks that leave no trace in the messages; each came before the message `before`"),
  verified: z.object({ ok: z.boolean(), differences: z.array(z.string()) }),
  renderer_version: count.int(),
  wire: wireSchema.optional(),
});
export type RequestDetail = Data<typeof requestDetailSchema>;
