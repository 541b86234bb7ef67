/** `ModelMessage[]` of the AI SDK, such as `responseMessages`. Calls and their results are in different messages. */
import type { JsonObject } from "@cairn/timeline";
import { objectOf, type Placed, partsOf, textOf } from "./fields.ts";
import { Content } from "./read-file.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

export function readModelMessage({ at, value }: Placed, builder: TranscriptBuilder): void {
  const skip = (place: string) => builder.loseUnsupported(place, "content");
  const parts = partsOf(value.content, `${at}.content`, skip);
  if (value.role === "user") readUser(parts, builder);
  else if (value.role === "assistant") readAssistant(parts, builder);
  else if (value.role === "tool") readTool(parts, builder);
  else builder.loseInstructions(at, parts.map((part) => textOf(part.value.text)).join("\n\n"), value.role);
}

function readUser(parts: readonly Placed[], builder: TranscriptBuilder): void {
  const content = new Content(builder);
  for (const part of parts) addContent(content, part, builder);
  builder.prompt(content.text, content.files);
}

function readAssistant(parts: readonly Placed[], builder: TranscriptBuilder): void {
  builder.endStep();
  for (const part of parts) {
    const { at, value } = part;
    if (value.type === "text") builder.say(textOf(value.text));
    else if (value.type === "reasoning") {
      builder.think(textOf(value.text));
      builder.loseReasoning(at);
    } else if (value.type === "tool-call")
      builder.call(at, textOf(value.toolCallId), textOf(value.toolName), value.input ?? value.args);
    else if (value.type === "tool-result") readResult(part, builder);
    else if (value.type === "file") {
      const content = new Content(builder);
      addContent(content, part, builder);
      for (const file of content.files) builder.file(at, file);
      builder.say(content.text);
    } else builder.loseUnsupported(at, value.type);
  }
}

function readTool(parts: readonly Placed[], builder: TranscriptBuilder): void {
  for (const part of parts)
    if (part.value.type === "tool-result") readResult(part, builder);
    else builder.loseUnsupported(part.at, part.value.type);
}

function readResult({ at, value }: Placed, builder: TranscriptBuilder): void {
  const id = textOf(value.toolCallId);
  const { type, value: output, reason } = objectOf(value.output);
  const isError = type === "error-text" || type === "error-json";
  if (type === "content") {
    const content = new Content(builder);
    const skip = (place: string) => builder.loseUnsupported(place, "content");
    for (const part of partsOf(output, `${at}.output.value`, skip)) addContent(content, part, builder);
    builder.result(at, id, { output: content.text, isError: false, files: content.files });
  } else if (type === "execution-denied")
    builder.result(at, id, {
      output: `The user did not agree to this call. ${textOf(reason)}`.trim(),
      isError: true,
      files: [],
    });
  else if (isError || type === "text" || type === "json")
    builder.result(at, id, { output: output ?? null, isError, files: [] });
  // Version 4 of the AI SDK has the plain result in this part.
  else
    builder.result(at, id, {
      output: value.output ?? value.result ?? null,
      isError: value.isError === true,
      files: [],
    });
}

function addContent(content: Content, { at, value }: Placed, builder: TranscriptBuilder): void {
  const { type, image, data, mediaType, mimeType, filename } = value;
  if (type === "text") content.addText(value.text);
  else if (type === "image" || type === "file" || type === "media" || type === "image-data" || type === "file-data")
    addFile(content, { at, source: image ?? data, mime: mediaType ?? mimeType, name: filename }, builder);
  else if (type === "image-url" || type === "file-url") content.addFile(at, value.url, mediaType, filename);
  else builder.loseUnsupported(at, type);
}

interface GivenFile {
  readonly at: string;
  readonly source: unknown;
  readonly mime: unknown;
  readonly name: unknown;
}

/** `source`: base64, bytes, a link, or one of these with its type. */
function addFile(content: Content, { at, source, mime, name }: GivenFile, builder: TranscriptBuilder): void {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer)
    content.addFile(at, Buffer.from(source as Uint8Array).toString("base64"), mime, name);
  else if (source instanceof URL) content.addFile(at, source.href, mime, name);
  else if (typeof source === "string") content.addFile(at, source, mime, name);
  else {
    const tagged: JsonObject = objectOf(source);
    if (tagged.type === "data") addFile(content, { at, source: tagged.data, mime, name }, builder);
    else if (tagged.type === "url") addFile(content, { at, source: tagged.url, mime, name }, builder);
    else if (tagged.type === "text")
      content.addFile(
        at,
        `data:text/plain,${encodeURIComponent(textOf(tagged.text).toWellFormed())}`,
        "text/plain",
        name,
      );
    else builder.loseUnsupported(at, "file");
  }
}
