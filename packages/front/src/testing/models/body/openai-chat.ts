/** The body of `POST /v1/chat/completions`, as published, function tools only. Unknown fields are refused at every level. */
import { z } from "zod";
import { jsonObject } from "./json-object.ts";
import { breakpoint, commonFields, effort, functionName } from "./openai-fields.ts";

const marked = { prompt_cache_breakpoint: breakpoint.optional() };
const name = { name: z.string().optional() };

const text = z.strictObject({ type: z.literal("text"), text: z.string(), ...marked });
const image = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(["auto", "low", "high"]).optional() }),
  ...marked,
});
const file = z.strictObject({
  type: z.literal("file"),
  file: z.strictObject({
    filename: z.string().optional(),
    file_data: z.string().optional(),
    file_id: z.string().optional(),
  }),
  ...marked,
});
const refusal = z.strictObject({ type: z.literal("refusal"), refusal: z.string() });
const texts = z.union([z.string(), z.array(text).min(1)]);

const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal("function"),
  function: z.strictObject({ name: functionName, arguments: z.string() }),
});

const system = z.strictObject({ role: z.literal("system"), content: texts, ...name });
const developer = z.strictObject({ role: z.literal("developer"), content: texts, ...name });
const user = z.strictObject({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, file])).min(1)]),
  ...name,
});
const assistant = z.strictObject({
  role: z.literal("assistant"),
  content: z.union([z.string(), z.array(z.discriminatedUnion("type", [text, refusal])).min(1)]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).min(1).optional(),
  ...name,
});
const result = z.strictObject({ role: z.literal("tool"), content: texts, tool_call_id: z.string() });
const message = z.discriminatedUnion("role", [system, developer, user, assistant, result]);
const thoughtful = assistant.extend({ reasoning_content: z.string().optional() });

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: jsonObject.optional(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: z.string() }) }),
]);

const responseFormat = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    json_schema: z.strictObject({
      name: functionName,
      description: z.string().optional(),
      schema: jsonObject.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const chatBody = z.strictObject({
  ...commonFields,
  messages: z.array(message).min(1),
  tools: z.array(tool).min(1).optional(),
  tool_choice: toolChoice.optional(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.literal(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  seed: z.int().nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  reasoning_effort: effort.nullish(),
  verbosity: z.enum(["low", "medium", "high"]).nullish(),
  response_format: responseFormat.optional(),
});

/** The body that servers with `reasoning_content` accept. */
export const thoughtfulChatBody = chatBody.extend({
  messages: z.array(z.discriminatedUnion("role", [system, developer, user, thoughtful, result])).min(1),
});

export type ChatBody = z.infer<typeof thoughtfulChatBody>;
export type ChatMessage = ChatBody["messages"][number];
export type ChatPart = Exclude<ChatMessage["content"], string | null | undefined>[number];
