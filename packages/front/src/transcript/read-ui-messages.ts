/** Messages of the AI SDK. A `UIMessage` has parts in order; a tool part holds its call and its result. */
import type { JsonObject } from "@cairn/timeline";
import { objectOf, type Placed, partsOf, textOf } from "./fields.ts";
import { Content } from "./read-file.ts";
import { readModelMessage } from "./read-model-messages.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

export function readUiMessages(messages: readonly Placed[], builder: TranscriptBuilder): void {
  for (const message of messages) {
    const { at, value } = message;
    if (value.parts === undefined) {
      readModelMessage(message, builder);
      continue;
    }
    const skip = (place: string) => builder.lose(place, "unsupported", "The value is not a part of a message.");
    const parts = partsOf(value.parts, `${at}.parts`, skip);
    if (value.role === "user") readUser(parts, builder);
    else if (value.role === "assistant") readAssistant(parts, builder);
    else builder.loseInstructions(at, parts.map((part) => textOf(part.value.text)).join("\n\n"), value.role);
  }
}

function readUser(parts: readonly Placed[], builder: TranscriptBuilder): void {
  const content = new Content(builder);
  for (const { at, value } of parts)
    if (value.type === "text") content.addText(value.text);
    else if (value.type === "file") content.addFile(at, value.url, value.mediaType, value.filename);
    else builder.loseUnsupported(at, value.type);
  builder.prompt(content.text, content.files);
}

function readAssistant(parts: readonly Placed[], builder: TranscriptBuilder): void {
  builder.endStep();
  for (const { at, value } of parts) {
    const type = textOf(value.type);
    if (type === "step-start") builder.endStep();
    else if (type === "text") builder.say(textOf(value.text));
    else if (type === "reasoning") {
      builder.think(textOf(value.text));
      builder.loseReasoning(at);
    } else if (type === "file") {
      const content = new Content(builder);
      const file = content.read(at, value.url, value.mediaType, value.filename);
      if (file !== null) builder.file(at, file);
      builder.say(content.text);
    } else if (type === "tool-invocation") readInvocation(at, objectOf(value.toolInvocation), builder);
    else if (type === "dynamic-tool" || type.startsWith("tool-")) readTool(at, value, builder);
    else builder.loseUnsupported(at, type);
  }
}

function readTool(at: string, part: JsonObject, builder: TranscriptBuilder): void {
  const { type, toolName, state, input, rawInput, output, errorText, approval } = part;
  // The call and its result are one part, so the part's place serves as the call's id.
  const id = at;
  const name = type === "dynamic-tool" ? textOf(toolName) : textOf(type).slice("tool-".length);
  builder.call(at, id, name, input ?? rawInput);
  const failed = (message: string) => builder.result(at, id, { output: message, isError: true, files: [] });
  if (state === "output-available") builder.result(at, id, { output: output ?? null, isError: false, files: [] });
  else if (state === "output-error") failed(textOf(errorText) || "The call failed.");
  else if (state === "output-denied")
    failed(`The user did not agree to this call. ${textOf(objectOf(approval).reason)}`.trim());
}

/** A call in the form of version 4 of the AI SDK. */
function readInvocation(at: string, { toolName, args, state, result }: JsonObject, builder: TranscriptBuilder): void {
  builder.call(at, at, textOf(toolName), args);
  if (state === "result") builder.result(at, at, { output: result ?? null, isError: false, files: [] });
}
