/**
 * Converts a Converse body to the Messages body that Bedrock sends to Claude. A cache point becomes a marker on the
 * block before it. Throws a `Refusal` if no block before it can have a marker.
 */
import type { JsonObject } from "@cairn/timeline";
import { type MessagesBody, messagesBody } from "../body/anthropic.ts";
import { type CachePoint, type ConverseBlock, type ConverseBody, isClaude, type ResultPart } from "../body/bedrock.ts";
import { deepest } from "../dialect/zod-issue.ts";
import { refuse, refuseByModel } from "./errors.ts";

export function toMessages(body: ConverseBody, model: string): MessagesBody {
  const { system, messages, toolConfig, inferenceConfig = {}, additionalModelRequestFields = {} } = body;
  const { maxTokens = 4_096, temperature, topP, stopSequences } = inferenceConfig;
  const choice = toolConfig?.toolChoice;
  const read = messagesBody.safeParse({
    model: isClaude(model) ? model.replace(/^.*?anthropic\./, "").replace(/-v\d+(?::\d+)?$/, "") : model,
    max_tokens: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    ...(system === undefined ? {} : { system: marked(system, "system", (each) => ({ type: "text", ...each })) }),
    ...(toolConfig === undefined
      ? {}
      : {
          tools: marked(toolConfig.tools, "toolConfig.tools", ({ toolSpec: { name, description, inputSchema } }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            input_schema: inputSchema.json,
          })),
        }),
    ...(choice === undefined ? {} : { tool_choice: choiceOf(choice) }),
    messages: messages.map(({ role, content }, at) => ({
      role,
      content: marked(content as readonly ConverseBlock[], `messages.${at}.content`, blockOf),
    })),
    ...additionalModelRequestFields,
  });
  if (read.success) return read.data;
  const { path, message } = deepest(read.error.issues);
  throw refuseByModel(`${path.join(".")}: ${message}`);
}

type Content<T> = Exclude<T, CachePoint>;

function marked<T extends object>(
  given: readonly T[],
  place: string,
  convert: (block: Content<T>) => JsonObject,
): JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const [at, each] of given.entries()) {
    if (!("cachePoint" in each)) {
      blocks.push(convert(each as Content<T>));
      continue;
    }
    const last = blocks.at(-1);
    if (last === undefined || last.type === "thinking" || last.type === "redacted_thinking" || "cache_control" in last)
      throw refuse(`The cachePoint at ${place}.${at} follows nothing that can be cached.`);
    const { ttl } = (each as unknown as CachePoint).cachePoint;
    blocks.splice(-1, 1, { ...last, cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } });
  }
  return blocks;
}

function blockOf(block: Content<ConverseBlock>): JsonObject {
  if ("toolUse" in block) {
    const { toolUseId: id, name, input } = block.toolUse;
    return { type: "tool_use", id, name, input };
  }
  if ("toolResult" in block) {
    const { toolUseId, content, status } = block.toolResult;
    const error = status === "error" ? { is_error: true } : {};
    return { type: "tool_result", tool_use_id: toolUseId, content: content.map(partOf), ...error };
  }
  if ("reasoningContent" in block) {
    const { reasoningContent: given } = block;
    if ("redactedContent" in given) return { type: "redacted_thinking", data: given.redactedContent };
    const { text, signature = "" } = given.reasoningText;
    return { type: "thinking", thinking: text, signature };
  }
  return partOf(block);
}

function partOf(part: ResultPart): JsonObject {
  if ("text" in part) return { type: "text", text: part.text };
  const source = (media_type: string, { bytes }: { bytes: string }) => ({ type: "base64", media_type, data: bytes });
  if ("image" in part) return { type: "image", source: source(`image/${part.image.format}`, part.image.source) };
  const { name, source: given } = part.document;
  return { type: "document", source: source("application/pdf", given), title: name };
}

function choiceOf(choice: NonNullable<NonNullable<ConverseBody["toolConfig"]>["toolChoice"]>): JsonObject {
  if ("tool" in choice) return { type: "tool", name: choice.tool.name };
  return { type: "any" in choice ? "any" : "auto" };
}
