/**
 * OpenAI Responses and Chat Completions, and servers compatible with the latter. Each group is a user message, because
 * the cache never finds a message that has grown. The tail has a message of its own.
 *
 * Markers are `prompt_cache_breakpoint` on parts (GPT-5.6 and later). With markers the mode is `explicit`. Otherwise
 * the provider would add a breakpoint at the end of the latest message, and writing the tail to the cache would cost
 * money although the tail is never read again. Tools and the `instructions` field cannot carry a marker, so the system
 * text is a message and its marker covers the tools. The role of this message is `developer` in Responses, and `system`
 * in Chat, which other vendors' servers know too.
 */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { FLAT_1 } from "./lowering.ts";
import { loweringRules } from "./lowerings.ts";
import { placed, sealedBy, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WireInput, WirePart, WireRole } from "./wire-request.ts";

export const openaiResponses: WireFormat = {
  messagePerGroup: true,
  marksTools: false,
  marksAssistant: false,
  // https://platform.openai.com/docs/api-reference/responses/create (`function_call_output`), as of 2026-11-16.
  resultFiles: ["image", "document"],
  tool: ({ name, description, schema }) => ({ type: "function", name, description, parameters: schema, strict: false }),
  system: (part) => responsesPart(part),
  part: responsesPart,
  body: (blocks, ttlAfter, input) => ({
    ...toolsOf(blocks),
    input:
      input.lowering?.name === "native" ? itemsOf(blocks, ttlAfter) : messagesOf(blocks, ttlAfter, "developer", input),
    ...cacheFields(blocks, ttlAfter, input),
  }),
};

export const openaiChat: WireFormat = {
  messagePerGroup: true,
  marksTools: false,
  marksAssistant: false,
  resultFiles: [],
  tool: ({ name, description, schema }) => ({ type: "function", function: { name, description, parameters: schema } }),
  system: chatPart,
  part: chatPart,
  body: (blocks, ttlAfter, input) => ({
    ...toolsOf(blocks),
    messages:
      input.lowering?.name === "native"
        ? chatMessages(blocks, ttlAfter, input)
        : messagesOf(blocks, ttlAfter, "system", input),
    ...cacheFields(blocks, ttlAfter, input),
  }),
};

function responsesPart(part: WirePart, role: WireRole = "user"): JsonObject {
  switch (part.type) {
    case "call":
      return {
        type: "function_call",
        call_id: part.id,
        name: part.name,
        arguments: JSON.stringify(part.input),
      };
    case "reasoning": {
      const { itemId, reasoningEncryptedContent } = sealedBy(part, "openai");
      return {
        type: "reasoning",
        ...(itemId === undefined ? {} : { id: itemId }),
        encrypted_content: reasoningEncryptedContent ?? null,
        summary: part.text === "" ? [] : [{ type: "summary_text", text: part.text }],
      };
    }
    case "result":
      return {
        type: "function_call_output",
        call_id: part.id,
        output: part.content.map((each) => responsesPart(each)),
      };
    case "text":
      if (role === "assistant") return { role, content: part.text };
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", detail: "auto", image_url: dataUrl(part) };
    case "document":
      return { type: "input_file", filename: `document-${part.nth}.pdf`, file_data: dataUrl(part) };
  }
}

function chatPart(part: WirePart): JsonObject {
  switch (part.type) {
    case "call":
      return {
        id: part.id,
        type: "function",
        function: { name: part.name, arguments: JSON.stringify(part.input) },
      };
    case "reasoning":
      return { reasoning_content: part.text };
    case "result":
      return { role: "tool", tool_call_id: part.id, content: part.content.map(chatPart) };
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: dataUrl(part) } };
    case "document":
      return { type: "file", file: { filename: `document-${part.nth}.pdf`, file_data: dataUrl(part) } };
  }
}

function dataUrl({ media_type, data }: Extract<WirePart, { type: "image" | "document" }>): string {
  return `data:${media_type};base64,${data}`;
}

function toolsOf(blocks: readonly WireBlock[]): JsonObject {
  const tools = placed(blocks, ({ kind }) => kind === "tools").map(([, { content }]) => content);
  return tools.length === 0 ? {} : { tools };
}

function messagesOf(
  blocks: readonly WireBlock[],
  ttlAfter: (at: number) => CacheTtl | undefined,
  systemRole: string,
  { lowering = FLAT_1 }: WireInput,
): JsonObject[] {
  const messages: { role: string; content: JsonObject[] }[] = [];
  for (const [at, block] of placed(blocks, ({ kind }) => kind !== "tools")) {
    if (block.startsMessage) messages.push({ role: block.kind === "system" ? systemRole : "user", content: [] });
    const marker = ttlAfter(at) === undefined ? {} : { prompt_cache_breakpoint: { mode: "explicit" } };
    const content = messages.at(-1)?.content;
    if (content !== undefined)
      addContent(content, { ...block.content, ...marker }, loweringRules(lowering).joinsMessages);
  }
  return messages;
}

type TtlAfter = (at: number) => CacheTtl | undefined;

/** `native`, Responses: calls, results and answers are items of their own. The tail has the role `developer`. */
function itemsOf(blocks: readonly WireBlock[], ttlAfter: TtlAfter): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  for (const [at, block] of placed(blocks, ({ kind }) => kind !== "tools")) {
    const { part } = block;
    if (part.type === "reasoning") addReasoning(items, block.content);
    else if (part.type === "call" || (part.type === "text" && block.role === "assistant")) items.push(block.content);
    else if (part.type === "result") items.push({ ...block.content, output: marked(block, "output", ttlAfter(at)) });
    else {
      if (block.startsMessage) {
        content = [];
        const isDeveloper = block.kind === "system" || (block.kind === "tail" && part.type === "text");
        items.push({ role: isDeveloper ? "developer" : "user", content });
      }
      content.push({ ...block.content, ...markerOf(ttlAfter(at)) });
    }
  }
  return items;
}

/** Adds a reasoning item. The summaries of one item arrive one by one and are joined. */
function addReasoning(items: JsonObject[], item: JsonObject): void {
  const last = items.at(-1);
  if (last?.type !== "reasoning" || last.id === undefined || last.id !== item.id) {
    items.push(item);
    return;
  }
  const summary = [...(last.summary as unknown as JsonObject[]), ...(item.summary as unknown as JsonObject[])];
  items.splice(-1, 1, { ...last, ...(item.encrypted_content === null ? {} : item), summary });
}

/** A message of the assistant, or of the user or the system. */
interface Spoken {
  readonly role: string;
  readonly content: JsonObject[];
  readonly calls: JsonObject[];
  thought: string;
}

/**
 * `native`, Chat: the calls of a decision are in the message of its notes, and each result is a message. Where a model
 * takes its reasoning back, every message of the assistant has the field, empty or not: the servers that know the field
 * refuse messages without it (`packages/agent/src/model/providers/chat-models.ts`).
 */
function chatMessages(blocks: readonly WireBlock[], ttlAfter: TtlAfter, input: WireInput): JsonObject[] {
  const joins = loweringRules(input.lowering ?? FLAT_1).joinsMessages;
  const messages: (JsonObject | Spoken)[] = [];
  let spoken: Spoken | undefined;
  for (const [at, block] of placed(blocks, ({ kind }) => kind !== "tools")) {
    const { part, role = "user", kind, startsMessage } = block;
    if (part.type === "result") {
      messages.push({ ...block.content, content: marked(block, "content", ttlAfter(at)) });
      continue;
    }
    if (spoken === undefined || startsMessage) {
      spoken = { role: kind === "system" ? "system" : role, content: [], calls: [], thought: "" };
      messages.push(spoken);
    }
    if (part.type === "call") spoken.calls.push(block.content);
    else if (part.type === "reasoning") spoken.thought += part.text;
    else addContent(spoken.content, { ...block.content, ...markerOf(ttlAfter(at)) }, joins);
  }
  return messages.map((message) => (isSpoken(message) ? chatMessage(message, input) : message));
}

function isSpoken(message: JsonObject | Spoken): message is Spoken {
  return "thought" in message;
}

function chatMessage({ role, content, calls, thought }: Spoken, { reasoningOf }: WireInput): JsonObject {
  return {
    role,
    content: content.length === 0 ? null : content,
    ...(role === "assistant" && reasoningOf !== undefined ? { reasoning_content: thought } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** `joins`: a text is appended to the text before it, unless that one ends with a breakpoint. */
function addContent(content: JsonObject[], part: JsonObject, joins: boolean): void {
  const last = content.at(-1);
  if (joins && last !== undefined && canJoin(last) && typeof part.text === "string")
    content.splice(-1, 1, { ...last, ...part, text: `${last.text}${part.text}` });
  else content.push(part);
}

/** The content of a result, with a marker on its last part. */
function marked({ content }: WireBlock, field: "output" | "content", ttl: CacheTtl | undefined): JsonObject[] {
  const parts = content[field] as unknown as JsonObject[];
  return parts.map((part, at) => (at === parts.length - 1 ? { ...part, ...markerOf(ttl) } : part));
}

function markerOf(ttl: CacheTtl | undefined): JsonObject {
  return ttl === undefined ? {} : { prompt_cache_breakpoint: { mode: "explicit" } };
}

/** Whether more text can be joined: the part is a text without a breakpoint at its end. */
function canJoin(part: JsonObject): boolean {
  return typeof part.text === "string" && part.prompt_cache_breakpoint === undefined;
}

function cacheFields(
  blocks: readonly WireBlock[],
  ttlAfter: (at: number) => CacheTtl | undefined,
  { cacheKey }: WireInput,
): JsonObject {
  const marks = blocks.some((_, at) => ttlAfter(at) !== undefined);
  return {
    ...(cacheKey === undefined ? {} : { prompt_cache_key: cacheKey }),
    ...(marks ? { prompt_cache_options: { mode: "explicit" } } : {}),
  };
}
