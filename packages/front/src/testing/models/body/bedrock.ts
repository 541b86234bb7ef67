/** The body of `converse` and `converse-stream`, as published, tools with a specification only. Unknown fields are refused. */
import { z } from "zod";
import { jsonObject } from "./json-object.ts";

const cachePoint = z.strictObject({
  cachePoint: z.strictObject({ type: z.literal("default"), ttl: z.enum(["5m", "1h"]).optional() }),
});
const bytes = z.strictObject({ bytes: z.base64() });
const text = z.strictObject({ text: z.string() });
const image = z.strictObject({
  image: z.strictObject({ format: z.enum(["png", "jpeg", "gif", "webp"]), source: bytes }),
});
const document = z.strictObject({
  document: z.strictObject({
    format: z.literal("pdf"),
    name: z.string().regex(/^[a-zA-Z0-9\s()[\]-]{1,200}$/),
    source: bytes,
    citations: z.strictObject({ enabled: z.boolean() }).optional(),
  }),
});
const callId = z.string().regex(/^[a-zA-Z0-9_.:-]{1,64}$/);
const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]+$/)
  .max(64);
const toolUse = z.strictObject({ toolUse: z.strictObject({ toolUseId: callId, name: toolName, input: jsonObject }) });
const toolResult = z.strictObject({
  toolResult: z.strictObject({
    toolUseId: callId,
    content: z.array(z.union([text, image, document])),
    status: z.enum(["success", "error"]).optional(),
  }),
});
const reasoning = z.strictObject({
  reasoningContent: z.union([
    z.strictObject({ reasoningText: z.strictObject({ text: z.string(), signature: z.string().optional() }) }),
    z.strictObject({ redactedContent: z.base64() }),
  ]),
});

const userMessage = z.strictObject({
  role: z.literal("user"),
  content: z.array(z.union([text, image, document, toolResult, cachePoint])),
});
const assistantMessage = z.strictObject({
  role: z.literal("assistant"),
  content: z.array(z.union([text, toolUse, reasoning, cachePoint])),
});

const tool = z.strictObject({
  toolSpec: z.strictObject({
    name: z.string(),
    description: z.string().min(1).optional(),
    inputSchema: z.strictObject({ json: jsonObject }),
    strict: z.boolean().optional(),
  }),
});
const toolChoice = z.union([
  z.strictObject({ auto: z.strictObject({}) }),
  z.strictObject({ any: z.strictObject({}) }),
  z.strictObject({ tool: z.strictObject({ name: z.string() }) }),
]);

export const converseBody = z.strictObject({
  messages: z.array(z.discriminatedUnion("role", [userMessage, assistantMessage])),
  system: z.array(z.union([text, cachePoint])).optional(),
  toolConfig: z
    .strictObject({ tools: z.array(z.union([tool, cachePoint])).min(1), toolChoice: toolChoice.optional() })
    .optional(),
  inferenceConfig: z
    .strictObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().min(0).max(1).optional(),
      topP: z.number().min(0).max(1).optional(),
      stopSequences: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  /** Fields that Bedrock passes on to the model. */
  additionalModelRequestFields: jsonObject.optional(),
  additionalModelResponseFieldPaths: z.array(z.string().min(1).max(256)).max(10).optional(),
});

export type ConverseBody = z.infer<typeof converseBody>;
export type ConverseBlock = ConverseBody["messages"][number]["content"][number];
export type ConverseTool = z.infer<typeof tool>;
export type ResultPart = z.infer<typeof toolResult>["toolResult"]["content"][number];
export type CachePoint = z.infer<typeof cachePoint>;

export function toolsOf({ toolConfig }: ConverseBody): ConverseTool[] {
  return (toolConfig?.tools ?? []).flatMap((each) => ("toolSpec" in each ? [each] : []));
}

/** Bedrock's model ids begin with the name of the company that made the model. */
export function isClaude(model: string): boolean {
  return /(?:^|[./])anthropic\.claude-/.test(model);
}
