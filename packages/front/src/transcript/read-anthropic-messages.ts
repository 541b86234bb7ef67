/** Messages of Anthropic's API. Results are in user messages, or next to the calls that Anthropic ran itself. */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import { objectOf, type Placed, partsOf, textOf } from "./fields.ts";
import { Content } from "./read-file.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

export function readAnthropicMessages(messages: readonly Placed[], builder: TranscriptBuilder): void {
  for (const { at, value } of messages) {
    const skip = (place: string) => builder.loseUnsupported(place, "content");
    const parts = partsOf(value.content, `${at}.content`, skip);
    if (value.role === "user") readUser(parts, builder);
    else if (value.role === "assistant") readAssistant(parts, builder);
    else builder.loseInstructions(at, parts.map((part) => textOf(part.value.text)).join("\n\n"), value.role);
  }
}

function readUser(parts: readonly Placed[], builder: TranscriptBuilder): void {
  const content = new Content(builder);
  for (const part of parts)
    if (part.value.type === "tool_result") readResult(part, builder);
    else addContent(content, part, builder);
  builder.prompt(content.text, content.files);
}

function readAssistant(parts: readonly Placed[], builder: TranscriptBuilder): void {
  builder.endStep();
  for (const part of parts) {
    const { at, value } = part;
    const type = textOf(value.type);
    if (type === "text") builder.say(textOf(value.text));
    else if (type === "thinking" || type === "redacted_thinking") {
      builder.think(textOf(value.thinking));
      builder.loseReasoning(at);
    } else if (type.endsWith("tool_use")) builder.call(at, textOf(value.id), textOf(value.name), value.input);
    else if (type.endsWith("tool_result")) readResult(part, builder);
    else builder.loseUnsupported(at, type);
  }
}

function readResult({ at, value }: Placed, builder: TranscriptBuilder): void {
  const { tool_use_id, content: given, is_error } = value;
  const id = textOf(tool_use_id);
  const isError = is_error === true;
  // Results of tools that Anthropic runs are objects, or lists of objects, of many types.
  const isText = typeof given === "string" || given === undefined || hasContent(given);
  if (!isText) {
    builder.result(at, id, { output: given, isError, files: [] });
    return;
  }
  const content = new Content(builder);
  const skip = (place: string) => builder.loseUnsupported(place, "content");
  for (const part of partsOf(given, `${at}.content`, skip)) addContent(content, part, builder);
  builder.result(at, id, { output: content.text, isError, files: content.files });
}

function hasContent(given: unknown): boolean {
  const known = ["text", "image", "document", "search_result"];
  return Array.isArray(given) && given.some((part) => isJsonObject(part) && known.includes(textOf(part.type)));
}

function addContent(content: Content, { at, value }: Placed, builder: TranscriptBuilder): void {
  const type = textOf(value.type);
  const source: JsonObject = objectOf(value.source);
  if (type === "text") content.addText(value.text);
  else if (type === "search_result")
    content.addText([textOf(value.title), textOf(value.source), ...textsOf(value.content)].join("\n\n"));
  else if (type === "document" && source.type === "content") {
    const text = textsOf(source.content).join("\n\n").toWellFormed();
    content.addFile(at, `data:text/plain,${encodeURIComponent(text)}`, "", value.title);
  } else if ((type !== "image" && type !== "document") || source.type === "file") builder.loseUnsupported(at, type);
  else if (source.type === "text")
    content.addFile(at, `data:text/plain,${encodeURIComponent(textOf(source.data).toWellFormed())}`, "", value.title);
  else content.addFile(at, source.url ?? source.data, source.media_type, value.title);
}

function textsOf(content: unknown): readonly string[] {
  return partsOf(content, "", () => undefined).map(({ value }) => textOf(value.text));
}
