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
  first_token_ms: count
    .nullable()
    .describe(
      "Milliseconds from the start of the request to the first piece of the answer; null if none came or it was not recorded",
    ),
  duration_ms: count
    .nullable()
    .describe("Milliseconds from the start of the request to the end of the answer; null if it was not recorded"),
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
      "Why the request should read less from the cache than the previous request left there, although both begin with the same bytes",
    ),
  coincident: z
    .array(z.object({ cause: z.string(), detail: z.string() }))
    .describe("Further causes that coincide with `miss` or `cold`; each would cost cached content on its own"),
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

const answerPartSchema = z.object({
  kind: z
    .enum(["thinking", "notes", "call", "answer", "unread", "summary", "failure"])
    .describe("`unread`: an answer that is incomplete or breaks the rules; `failure`: the text of a turn that failed"),
  position: count.int(),
  tool_id: z.string().nullable().describe("The tool of a call; its parameters are the text"),
  text: z.string(),
  tokens: count,
});
export type AnswerPart = Data<typeof answerPartSchema>;

const turnCallSchema = z.object({
  call_id: z.string(),
  tool_id: z.string(),
  started_at: z.string(),
  settled_at: z.string().nullable(),
  outcome: z.enum(["ok", "error", "interrupted"]).nullable().describe("Null while the call runs"),
});
export type TurnCall = Data<typeof turnCallSchema>;

const wireSchema = z.object({ body: z.string(), same: z.boolean().nullable(), difference: z.string().nullable() });
export type Wire = Data<typeof wireSchema>;

export const requestDetailSchema = z.object({
  request: modelRequestSchema,
  system: z.object({ text: z.string(), tokens: count }),
  tools: z.object({ json: z.string(), tokens: count }),
  window: z
    .object({ tokens: count, output: count })
    .nullable()
    .describe("The tokens that the model accepts, and those kept free for its answer; null if the model is unknown"),
  messages: z.array(modelMessageSchema),
  unseen: z
    .array(unseenBlockSchema)
    .describe("Hidden blocks without a message of their own; each was before the message `before`"),
  answer: z.array(answerPartSchema).describe("What the journal keeps of the answer; empty if it was interrupted"),
  calls: z.array(turnCallSchema).describe("Every call of the turn of the request"),
  verified: z.object({ ok: z.boolean(), differences: z.array(z.string()) }),
  renderer_version: count.int(),
  wire: wireSchema.optional(),
});
export type RequestDetail = Data<typeof requestDetailSchema>;
