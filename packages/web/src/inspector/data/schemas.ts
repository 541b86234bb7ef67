/** Schemas of the inspector's responses. */
import type { SourceRow } from "@cairn/timeline";
import { z } from "zod";
import { BLOCK_STATES } from "./place.ts";

const text = z.string();
const count = z.number();

const usage = z.object({
  ...{ input_tokens: count, cache_read_tokens: count, cache_write_tokens: count, output_tokens: count },
});

const request = z.object({
  n: count,
  seq: count,
  turn_id: text.nullable(),
  model: text.nullable(),
  purpose: z.enum(["decision", "continuation", "summary"]).catch("decision"),
  started_at: text,
  tokens: z.object({ tools: count, system: count, stable: count, tail: count }),
  usage,
  is_billed: z.boolean(),
  cost: count,
  sent_bytes: count.nullable(),
  predicted_read: count.nullable(),
  resets: z.array(z.object({ cause: text, blocks: count.optional(), tokens: count.optional() })),
  cold: z.object({ cause: text, detail: text }).nullable(),
  miss: z
    .object({
      part: z.enum(["tools", "system", "block"]),
      index: count,
      path: text.nullable(),
      cause: text,
      declared: z.boolean(),
      detail: text,
      before: text.optional(),
      after: text.optional(),
    })
    .nullable(),
  checkpoints: z.array(count),
});
export type ModelRequest = z.infer<typeof request>;

export const requestListSchema = z.object({ requests: z.array(request) });

const message = z.object({
  index: count,
  kind: z.enum(["text", "image", "document"]),
  text,
  mime: text.nullable(),
  positions: z.array(count),
  paths: z.array(text),
  type: text.nullable(),
  turn_id: text.nullable(),
  tokens: count,
  cost: count,
  hash: text,
  checkpoint: z.boolean(),
  part: z.enum(["stable", "tail"]),
  cache: z.enum(["read", "written", "none"]),
  overlay: z
    .object({
      state: z.enum(["hidden", "pruned", "clipped", "compacted"]),
      by: text,
      path: text.nullable(),
      original_text: text.optional(),
      turns: z.array(text).optional(),
    })
    .nullable(),
});
export type ModelMessage = z.infer<typeof message>;
export type CacheFate = ModelMessage["cache"];

const unseen = z.object({
  before: count,
  position: count,
  path: text.nullable(),
  type: text,
  turn_id: text.nullable(),
  tokens: count,
  state: z.enum(["hidden", "pruned", "clipped"]),
  by: text,
  original_text: text,
});
export type UnseenBlock = z.infer<typeof unseen>;

const wire = z.object({ body: text, same: z.boolean().nullable(), difference: text.nullable() });
export type Wire = z.infer<typeof wire>;

export const requestDetailSchema = z.object({
  request,
  system: z.object({ text, tokens: count }),
  tools: z.object({ json: text, tokens: count }),
  messages: z.array(message),
  unseen: z.array(unseen),
  verified: z.object({ ok: z.boolean(), differences: z.array(text) }),
  renderer_version: count,
  wire: wire.optional(),
});
export type RequestDetail = z.infer<typeof requestDetailSchema>;

const block = z.object({
  position: count,
  seq: count,
  turn_id: text.nullable(),
  type: text,
  path: text.nullable(),
  mime: text.nullable(),
  tokens: count,
  version: count,
  text: text.nullable(),
  cut: z.boolean(),
  meta: z.record(text, z.unknown()),
  state: z.enum(BLOCK_STATES),
  shown_lines: count.nullable(),
  replacement: text.nullable(),
});
export type Block = z.infer<typeof block>;

export const blockPageSchema = z.object({ blocks: z.array(block), next: count.nullable() });

const sourceRow = z.custom<SourceRow>(
  (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "sid") === "number",
  "a source needs a `sid`",
);
export const poolSchema = z.object({ sources_pool: z.array(sourceRow) });

export const pathSchema = z.object({
  path: text,
  found: z.boolean(),
  mime: text.nullable(),
  text: text.nullable(),
  blob: text.nullable(),
  version: count,
  versions: count,
});
export type FoundPath = z.infer<typeof pathSchema>;
