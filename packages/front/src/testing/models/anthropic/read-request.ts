/** Converts the body of a request to the input of scripts and of the cache, or throws a `Refusal`. */
import type { Json, JsonObject } from "@cairn/timeline";
import {
  type AnthropicMessage,
  blocksOf,
  type MessagesBody,
  messagesBody,
  type ResultContent,
  systemBlocks,
} from "../body/anthropic.ts";
import type { ReadOptions, ReadRequest } from "../dialect/dialect.ts";
import { ANTHROPIC_MESSAGES } from "../refusals/anthropic-messages.ts";
import { ANTHROPIC_TOOLS } from "../refusals/anthropic-tools.ts";
import { enforce } from "../refusals/rule.ts";
import type { ModelRequest, ToolResult } from "../script/model-request.ts";
import { refuse, schemaRefusal } from "./errors.ts";
import { readPrompt } from "./prompt.ts";

export function readRequest(json: Json, options: ReadOptions): ReadRequest {
  const parsed = messagesBody.safeParse(json, { reportInput: true });
  if (!parsed.success) throw schemaRefusal(parsed.error);
  const body = parsed.data;
  enforce([...ANTHROPIC_TOOLS, ...ANTHROPIC_MESSAGES], body, ({ message }, status) => refuse(message, status));
  return { request: describeMessages(body, json as JsonObject), prompt: readPrompt(body, options) };
}

export function describeMessages(body: MessagesBody, json: JsonObject): ModelRequest {
  const texts = body.messages.map(textOf);
  return {
    api: "anthropic",
    model: body.model,
    stream: body.stream ?? false,
    maxTokens: body.max_tokens,
    system: systemBlocks(body)
      .map(({ text }) => text)
      .join("\n"),
    toolNames: (body.tools ?? []).map(({ name }) => name),
    toolResults: body.messages.flatMap(resultsOf),
    texts,
    lastText: texts.at(-1) ?? "",
    body: json,
  };
}

function resultsOf(message: AnthropicMessage): ToolResult[] {
  return blocksOf(message).flatMap((block) =>
    block.type === "tool_result" ? [{ id: block.tool_use_id, text: resultText(block.content) }] : [],
  );
}

function textOf(message: AnthropicMessage): string {
  const texts = blocksOf(message).flatMap((block) => {
    if (block.type === "text") return [block.text];
    return block.type === "tool_result" ? [resultText(block.content)] : [];
  });
  return texts.join("\n");
}

function resultText(content: ResultContent): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
