/**
 * OpenAI Responses and Chat Completions, and servers compatible with the latter: one user message per group, because a
 * single message that keeps growing is never found again, and the tail in a message of its own.
 *
 * Markers are `prompt_cache_breakpoint` on parts (GPT-5.6 and later). With them the mode is `explicit`: the provider's
 * own breakpoint at the end of the latest message would pay to write the tail, which is never read. Tools and the
 * `instructions` field cannot carry one, so the system text is a message and its marker covers the tools. Its role is
 * `developer` in Responses, and `system` in Chat, which other vendors' servers know too.
 */
import type { JsonObject } from "../../base/json.ts";
import type { CacheTtl } from "../providers.ts";
import { FLAT_1, joinsMessages } from "./lowering.ts";
import { placed, type WireFormat } from "./wire-format.ts";
import type { WireBlock, WireInput, WirePart } from "./wire-request.ts";

export const openaiResponses: WireFormat = {
  messagePerGroup: true,
  marksTools: false,
  tool: ({ name, description, schema }) => ({ type: "function", name, description, parameters: schema, strict: false }),
  system: responsesPart,
  part: responsesPart,
  body: (blocks, ttlAfter, input) => ({
    ...toolsOf(blocks),
    input: messagesOf(blocks, ttlAfter, "developer", input),
    ...cacheFields(blocks, ttlAfter, input),
  }),
};

export const openaiChat: WireFormat = {
  messagePerGroup: true,
  marksTools: false,
  tool: ({ name, description, schema }) => ({ type: "function", function: { name, description, parameters: schema } }),
  system: chatPart,
  part: chatPart,
  body: (blocks, ttlAfter, input) => ({
    ...toolsOf(blocks),
    messages: messagesOf(blocks, ttlAfter, "system", input),
    ...cacheFields(blocks, ttlAfter, input),
  }),
};

function responsesPart(part: WirePart): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text };
    case "image":
      return { type: "input_image", detail: "auto", image_url: dataUrl(part) };
    case "document":
      return { type: "input_file", filename: `document-${part.nth}.pdf`, file_data: dataUrl(part) };
  }
}

function chatPart(part: WirePart): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: dataUrl(part) } };
    case "document":
      return { type: "file", file: { filename: `document-${part.nth}.pdf`, file_data: dataUrl(part) } };
  }
}

function dataUrl({ media_type, data }: Exclude<WirePart, { type: "text" }>): string {
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
    const last = content?.at(-1);
    if (joinsMessages(lowering) && last !== undefined && canJoin(last) && block.part.type === "text")
      content?.splice(-1, 1, { ...last, text: `${last.text}${block.part.text}`, ...marker });
    else content?.push({ ...block.content, ...marker });
  }
  return messages;
}

/** A text without a breakpoint at its end. */
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
