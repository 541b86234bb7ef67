/** Converts the body of a request to the input of scripts and of the cache, or throws a `Refusal`. */
import type { Json, JsonObject, WirePart } from "@cairn/timeline";
import { type ChatBody, type ChatMessage, type ChatPart, chatBody, thoughtfulChatBody } from "../body/openai-chat.ts";
import { hasThoughts } from "../body/server-name.ts";
import { textPart } from "../cache/prompt.ts";
import type { ReadOptions, ReadRequest } from "../dialect/dialect.ts";
import { filePart, imagePart } from "../openai/data-url-part.ts";
import { schemaRefusal, tableRefusal } from "../openai/errors.ts";
import { promptPart } from "../openai/part.ts";
import { composePrompt, type PromptItem, type PromptPart } from "../openai/prompt.ts";
import { SERVERS } from "../refusals/chat-servers.ts";
import { OPENAI_CHAT } from "../refusals/openai-chat.ts";
import { enforce } from "../refusals/rule.ts";
import type { ModelRequest } from "../script/model-request.ts";

export function readRequest(json: Json, { countTokens, rules, server }: ReadOptions): ReadRequest {
  const schema = hasThoughts(server) ? thoughtfulChatBody : chatBody;
  const parsed = schema.safeParse(json, { reportInput: true });
  if (!parsed.success) throw schemaRefusal(parsed.error);
  const body: ChatBody = parsed.data;
  const servers = [server ?? []].flat();
  enforce([...OPENAI_CHAT, ...servers.flatMap((name) => SERVERS[name])], body, tableRefusal);
  const items = [...openingOf(body), ...body.messages.map(promptItem)];
  return {
    request: describe(body, json as JsonObject),
    prompt: composePrompt(body, body.tools ?? [], items, countTokens, rules),
  };
}

/** The schema of the answer precedes the first message. */
function openingOf({ response_format: format }: ChatBody): PromptItem[] {
  if (format?.type !== "json_schema") return [];
  return [{ role: "format", parts: [plain(JSON.stringify(format.json_schema))], isInput: false }];
}

function promptItem(message: ChatMessage, at: number): PromptItem {
  const parts = partsOf(message.content, `messages[${at}].content`);
  if (message.role === "tool") return { role: `tool ${message.tool_call_id}`, parts, isInput: true };
  if (message.role !== "assistant") return { role: message.role, parts, isInput: true };
  const calls = (message.tool_calls ?? []).map((call): PromptPart => {
    const inner = [textPart(call.function.name), textPart(call.function.arguments)];
    return { content: { ...call }, parts: inner, isMarked: false };
  });
  const { reasoning_content: thought } = message;
  const thoughts = thought ? [plain(thought)] : [];
  return { role: message.role, parts: [...thoughts, ...parts, ...calls], isInput: false };
}

/** A plain string is the same to the cache as one text part. */
function plain(text: string): PromptPart {
  return { content: { type: "text", text }, parts: [textPart(text)], isMarked: false };
}

function partsOf(content: ChatMessage["content"], place: string): PromptPart[] {
  if (content == null) return [];
  if (typeof content === "string") return [plain(content)];
  return content.map((part, at) => promptPart(part, [wirePart(part, `${place}[${at}]`)]));
}

function wirePart(part: ChatPart, place: string): WirePart {
  switch (part.type) {
    case "text":
      return textPart(part.text);
    case "refusal":
      return textPart(part.refusal);
    case "image_url":
      return imagePart(part.image_url.url, `${place}.image_url.url`);
    case "file":
      return filePart(part.file.file_data, `${place}.file.file_data`);
  }
}

function describe(body: ChatBody, json: JsonObject): ModelRequest {
  const isSystem = ({ role }: ChatMessage) => role === "system" || role === "developer";
  const texts = body.messages.filter((message) => !isSystem(message)).map(textOf);
  return {
    api: "openai-chat",
    model: body.model,
    stream: body.stream ?? false,
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    system: body.messages.filter(isSystem).map(textOf).join("\n"),
    toolNames: (body.tools ?? []).map((tool) => tool.function.name),
    toolResults: body.messages.flatMap((message) =>
      message.role === "tool" ? [{ id: message.tool_call_id, text: textOf(message) }] : [],
    ),
    texts,
    lastText: texts.at(-1) ?? "",
    body: json,
  };
}

function textOf({ content }: ChatMessage): string {
  if (content == null) return "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
