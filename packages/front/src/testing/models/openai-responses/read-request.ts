/** Converts the body of a request to the input of scripts and of the cache, or throws a `Refusal`. */
import type { Json, JsonObject, WirePart } from "@cairn/timeline";
import {
  type InputPart,
  NOT_SIMULATED,
  type ResolvedItem,
  type ResponsesBody,
  responsesBody,
} from "../body/openai-responses.ts";
import { textPart } from "../cache/prompt.ts";
import type { ReadOptions, ReadRequest } from "../dialect/dialect.ts";
import { filePart, imagePart } from "../openai/data-url-part.ts";
import { refuse, refuseUnknown, schemaRefusal, tableRefusal } from "../openai/errors.ts";
import { promptPart } from "../openai/part.ts";
import { composePrompt, type PromptItem, type PromptPart } from "../openai/prompt.ts";
import { OPENAI_RESPONSES } from "../refusals/openai-responses.ts";
import { enforce } from "../refusals/rule.ts";
import type { ModelRequest } from "../script/model-request.ts";
import { resolveItems } from "./resolve-items.ts";

export function readRequest(json: Json, { countTokens, rules, storedItem }: ReadOptions): ReadRequest {
  for (const field of NOT_SIMULATED)
    if ((json as JsonObject | null)?.[field] != null) throw refuseUnknown(field, field);
  const parsed = responsesBody.safeParse(json, { reportInput: true });
  if (!parsed.success) throw schemaRefusal(parsed.error);
  const body = parsed.data;
  const items = resolveItems(body, storedItem);
  enforce(OPENAI_RESPONSES, { ...body, items }, tableRefusal);
  const promptItems = [...openingOf(body), ...items.map(promptItem)];
  const prompt = composePrompt(body, body.tools ?? [], promptItems, countTokens, rules);
  return { request: describe(body, items, json as JsonObject), prompt };
}

/** The content before the first item: the schema of the answer and the instructions. */
function openingOf({ instructions, text }: ResponsesBody): PromptItem[] {
  const texts = [
    ...(text?.format?.type === "json_schema" ? [JSON.stringify(text.format)] : []),
    ...(instructions == null ? [] : [instructions]),
  ];
  return texts.map((each) => ({ role: "instructions", parts: [plain(each)], isInput: false }));
}

function promptItem(item: ResolvedItem, at: number): PromptItem {
  const place = `input[${at}]`;
  switch (item.type) {
    case "function_call": {
      const { call_id, name, arguments: text } = item;
      return {
        role: item.type,
        parts: [{ content: { call_id, name, text }, parts: [textPart(name), textPart(text)], isMarked: false }],
        isInput: false,
      };
    }
    case "function_call_output": {
      const parts = partsOf(item.output, `${place}.output`);
      return { role: `${item.type} ${item.call_id}`, parts, isInput: true };
    }
    case "reasoning": {
      const { id = "", summary, encrypted_content } = item;
      // Sealed reasoning, which may be longer than the readable summary, is what the provider bills.
      const sealed = { openai: { itemId: id, reasoningEncryptedContent: encrypted_content ?? "" } };
      const part: WirePart = { type: "reasoning", text: summary.map(({ text }) => text).join(""), sealed };
      const content = { id, texts: summary, encrypted_content: encrypted_content ?? null };
      return { role: item.type, parts: [{ content, parts: [part], isMarked: false }], isInput: false };
    }
    default:
      if (item.role !== "assistant")
        return { role: item.role, parts: partsOf(item.content, `${place}.content`), isInput: true };
      return { role: item.role, parts: outputTexts(item).map(plain), isInput: false };
  }
}

/** A plain string is the same to the cache as one text part. */
function plain(text: string): PromptPart {
  return { content: { type: "input_text", text }, parts: [textPart(text)], isMarked: false };
}

function partsOf(content: string | readonly InputPart[], place: string): PromptPart[] {
  if (typeof content === "string") return [plain(content)];
  return content.map((part, at) => promptPart(part, [wirePart(part, `${place}[${at}]`)]));
}

function wirePart(part: InputPart, place: string): WirePart {
  switch (part.type) {
    case "input_text":
      return textPart(part.text);
    case "input_image":
      if (part.image_url == null && part.file_id == null)
        throw refuse(
          `Missing required parameter: '${place}.image_url'.`,
          "missing_required_parameter",
          `${place}.image_url`,
        );
      return part.image_url == null
        ? { type: "image", media_type: "image/png", data: "" }
        : imagePart(part.image_url, `${place}.image_url`);
    case "input_file":
      if (part.file_data === undefined && part.file_id == null && part.file_url === undefined)
        throw refuse(
          `Missing required parameter: '${place}.file_id'.`,
          "missing_required_parameter",
          `${place}.file_id`,
        );
      if (part.file_data !== undefined && part.filename === undefined)
        throw refuse(
          `Missing required parameter: '${place}.filename'.`,
          "missing_required_parameter",
          `${place}.filename`,
        );
      return filePart(part.file_data, `${place}.file_data`);
  }
}

function describe(body: ResponsesBody, items: readonly ResolvedItem[], json: JsonObject): ModelRequest {
  // Only the first items are the system text; a developer's item after that is part of the conversation.
  const first = items.findIndex((item) => !("role" in item && isSystem(item.role)));
  const begin = first === -1 ? items.length : first;
  const texts = items.slice(begin).map(textOf);
  const system = items.slice(0, begin).map(textOf);
  return {
    api: "openai-responses",
    model: body.model,
    stream: body.stream ?? false,
    maxTokens: body.max_output_tokens ?? null,
    system: [...(body.instructions == null ? [] : [body.instructions]), ...system].join("\n"),
    toolNames: (body.tools ?? []).map(({ name }) => name),
    toolResults: items.flatMap((item) =>
      item.type === "function_call_output" ? [{ id: item.call_id, text: textOf(item) }] : [],
    ),
    texts,
    lastText: texts.at(-1) ?? "",
    body: json,
  };
}

function isSystem(role: string): boolean {
  return role === "system" || role === "developer";
}

function textOf(item: ResolvedItem): string {
  switch (item.type) {
    case "function_call":
    case "reasoning":
      return "";
    case "function_call_output":
      return inputTexts(item.output).join("\n");
    default:
      return (item.role === "assistant" ? outputTexts(item) : inputTexts(item.content)).join("\n");
  }
}

function inputTexts(content: string | readonly InputPart[]): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((part) => (part.type === "input_text" ? [part.text] : []));
}

function outputTexts({ content }: Extract<ResolvedItem, { role: "assistant" }>): string[] {
  if (typeof content === "string") return [content];
  return content.map((part) => (part.type === "output_text" ? part.text : part.refusal));
}
