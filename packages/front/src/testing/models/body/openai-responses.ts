/** The body of `POST /v1/responses`, as published, function tools only. Unknown fields are refused at every level. */
import { z } from "zod";
import { jsonObject } from "./json-object.ts";
import { breakpoint, commonFields, effort, functionName } from "./openai-fields.ts";

const marked = { prompt_cache_breakpoint: breakpoint.optional() };
const status = { status: z.enum(["in_progress", "completed", "incomplete"]).nullish() };

const inputText = z.strictObject({ type: z.literal("input_text"), text: z.string(), ...marked });
const inputImage = z.strictObject({
  type: z.literal("input_image"),
  detail: z.enum(["auto", "low", "high", "original"]).nullish(),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  ...marked,
});
const inputFile = z.strictObject({
  type: z.literal("input_file"),
  filename: z.string().optional(),
  file_data: z.string().optional(),
  file_id: z.string().nullish(),
  file_url: z.string().optional(),
  ...marked,
});
const inputPart = z.discriminatedUnion("type", [inputText, inputImage, inputFile]);
const outputPart = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(jsonObject).optional(),
    logprobs: z.array(jsonObject).nullish(),
  }),
  z.strictObject({ type: z.literal("refusal"), refusal: z.string() }),
]);

const inputMessage = z.strictObject({
  type: z.literal("message").optional(),
  role: z.enum(["user", "system", "developer"]),
  content: z.union([z.string(), z.array(inputPart).min(1)]),
  ...status,
});
const outputMessage = z.strictObject({
  type: z.literal("message").optional(),
  role: z.literal("assistant"),
  content: z.union([z.string(), z.array(outputPart).min(1)]),
  id: z.string().optional(),
  phase: z.enum(["commentary", "final_answer"]).nullish(),
  ...status,
});
const functionCall = z.strictObject({
  type: z.literal("function_call"),
  id: z.string().nullish(),
  call_id: z.string().min(1).max(64),
  name: functionName,
  arguments: z.string(),
  ...status,
});
const functionOutput = z.strictObject({
  type: z.literal("function_call_output"),
  id: z.string().nullish(),
  call_id: z.string().min(1).max(64),
  output: z.union([z.string(), z.array(inputPart).min(1)]),
  ...status,
});
const reasoning = z.strictObject({
  type: z.literal("reasoning"),
  id: z.string().optional(),
  summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
  content: z.array(z.strictObject({ type: z.literal("reasoning_text"), text: z.string() })).nullish(),
  encrypted_content: z.string().nullish(),
  ...status,
});
const reference = z.strictObject({ type: z.literal("item_reference"), id: z.string() });

const message = z.discriminatedUnion("role", [inputMessage, outputMessage]);
export const inputItem = z.union([
  message,
  z.discriminatedUnion("type", [functionCall, functionOutput, reasoning, reference]),
]);

const tool = z.strictObject({
  type: z.literal("function"),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: jsonObject.nullish(),
  strict: z.boolean().nullish(),
});

const toolChoice = z.union([
  z.enum(["none", "auto", "required"]),
  z.strictObject({ type: z.literal("function"), name: z.string() }),
  z.strictObject({
    type: z.literal("allowed_tools"),
    mode: z.enum(["auto", "required"]),
    tools: z.array(z.strictObject({ type: z.literal("function"), name: z.string() })),
  }),
]);

const format = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text") }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({
    type: z.literal("json_schema"),
    name: functionName,
    schema: jsonObject,
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
]);

/** Known fields that the simulator rejects with its own error text, because it stores no responses. */
export const NOT_SIMULATED = [
  "previous_response_id",
  "conversation",
  "background",
  "prompt",
  "context_management",
] as const;

export const responsesBody = z.strictObject({
  ...commonFields,
  input: z.union([z.string(), z.array(inputItem)]),
  instructions: z.string().nullish(),
  tools: z.array(tool).optional(),
  tool_choice: toolChoice.optional(),
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().nullish(),
  include: z.array(z.string()).nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  reasoning: z
    .strictObject({
      effort: effort.nullish(),
      summary: z.enum(["auto", "concise", "detailed"]).nullish(),
      mode: z.enum(["standard", "pro"]).nullish(),
      context: z.enum(["auto", "current_turn", "all_turns"]).nullish(),
    })
    .nullish(),
  text: z
    .strictObject({ format: format.optional(), verbosity: z.enum(["low", "medium", "high"]).nullish() })
    .optional(),
});

export type ResponsesBody = z.infer<typeof responsesBody>;
export type InputItem = z.infer<typeof inputItem>;
export type InputPart = z.infer<typeof inputPart>;
/** An item that has its content, and does not refer to a stored item. */
export type ResolvedItem = Exclude<InputItem, { type: "item_reference" }>;
