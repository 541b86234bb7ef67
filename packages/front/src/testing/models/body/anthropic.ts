/** The body of `POST /v1/messages`, as published, custom tools only. Unknown fields are refused at every level. */
import { z } from "zod";
import { jsonObject } from "./json-object.ts";

const cacheControl = z.strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() });
const marked = { cache_control: cacheControl.nullish() };

const base64Image = z.strictObject({
  type: z.literal("base64"),
  media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
  data: z.base64(),
});
const urlSource = z.strictObject({ type: z.literal("url"), url: z.url() });
const fileSource = z.strictObject({ type: z.literal("file"), file_id: z.string() });

const text = z.strictObject({
  type: z.literal("text"),
  text: z.string(),
  citations: z.array(jsonObject).nullish(),
  ...marked,
});
const image = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [base64Image, urlSource, fileSource]),
  ...marked,
});
const pdf = z.strictObject({ type: z.literal("base64"), media_type: z.literal("application/pdf"), data: z.base64() });
const plainText = z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: z.string() });
const document = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [pdf, plainText, urlSource, fileSource]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: z.strictObject({ enabled: z.boolean() }).nullish(),
  ...marked,
});
const toolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().min(1).max(200),
  input: jsonObject,
  ...marked,
});
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, document]))]).optional(),
  is_error: z.boolean().nullish(),
  ...marked,
});
const thinking = z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() });
const redacted = z.strictObject({ type: z.literal("redacted_thinking"), data: z.string() });

const userMessage = z.strictObject({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, document, toolResult]))]),
});
const assistantMessage = z.strictObject({
  role: z.literal("assistant"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, toolUse, thinking, redacted]))]),
});

const tool = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string(),
  description: z.string().optional(),
  input_schema: jsonObject,
  strict: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  ...marked,
});

const parallel = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("auto"), ...parallel }),
  z.strictObject({ type: z.literal("any"), ...parallel }),
  z.strictObject({ type: z.literal("tool"), name: z.string(), ...parallel }),
  z.strictObject({ type: z.literal("none") }),
]);

const thinkingMode = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("enabled"),
    budget_tokens: z.int().min(1_024),
    display: z.enum(["summarized", "omitted"]).nullish(),
  }),
  z.strictObject({ type: z.literal("adaptive"), display: z.enum(["summarized", "omitted", "updates"]).nullish() }),
  z.strictObject({ type: z.literal("disabled") }),
  // The setting for the least thinking of `claude-sonnet-5-5`, and the display of updates: `@ai-sdk/anthropic` 4.0.102,
  // `anthropic-language-model-options.ts` (2026-11-17).
  z.strictObject({ type: z.literal("between_tools") }),
]);

const outputConfig = z.strictObject({
  effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  format: z.strictObject({ type: z.literal("json_schema"), schema: jsonObject }).optional(),
});

export const messagesBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(z.discriminatedUnion("role", [userMessage, assistantMessage])),
  /** If this is 0, the request only fills the cache. */
  max_tokens: z.int().min(0),
  system: z.union([z.string(), z.array(text)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  stop_sequences: z.array(z.string().regex(/\S/)).optional(),
  metadata: z.strictObject({ user_id: z.string().max(512).nullish() }).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  inference_geo: z.string().nullish(),
  thinking: thinkingMode.optional(),
  output_config: outputConfig.optional(),
  cache_control: cacheControl.nullish(),
});

export type MessagesBody = z.infer<typeof messagesBody>;
export type CacheControl = z.infer<typeof cacheControl>;
export type AnthropicMessage = MessagesBody["messages"][number];
export type AnthropicBlock = Exclude<AnthropicMessage["content"], string>[number];
export type ResultContent = z.infer<typeof toolResult>["content"];

/** A message's content as blocks: a plain string is one text. */
export function blocksOf({ content }: AnthropicMessage): AnthropicBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

export function systemBlocks({ system }: MessagesBody): z.infer<typeof text>[] {
  return typeof system === "string" ? [{ type: "text", text: system }] : (system ?? []);
}
