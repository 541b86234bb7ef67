/** Reads input and output items of OpenAI's Responses API. */
import { isJsonObject, type JsonObject } from "@cairn/timeline";
import { objectOf, type Placed, partsOf, textOf } from "./fields.ts";
import { Content } from "./read-file.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

export function readResponsesItems(items: readonly Placed[], builder: TranscriptBuilder): void {
  for (const { at, value } of items) {
    const type = textOf(value.type) || "message";
    const id = textOf(value.call_id);
    switch (type) {
      case "message":
        readMessage(at, value, builder);
        break;
      case "function_call":
      case "custom_tool_call":
        builder.call(at, id, textOf(value.name), value.arguments ?? value.input);
        break;
      case "function_call_output":
      case "custom_tool_call_output": {
        const { text, files } = readContent(`${at}.output`, value.output, builder);
        builder.result(at, id, { output: text, isError: false, files });
        builder.endStep();
        break;
      }
      case "mcp_call":
        readMcpCall(at, value, builder);
        break;
      case "image_generation_call":
        readPicture(at, value, builder);
        break;
      case "reasoning": {
        const { text } = readContent(`${at}.summary`, value.summary, builder);
        builder.think(text);
        builder.loseReasoning(at);
        break;
      }
      default:
        if (!readToolItem(at, type, value, builder)) builder.loseUnsupported(at, type);
    }
  }
}

function readMessage(at: string, { role, content }: JsonObject, builder: TranscriptBuilder): void {
  const { text, files } = readContent(`${at}.content`, content, builder);
  if (role === "user") builder.prompt(text, files);
  else if (role === "assistant") {
    builder.say(text);
    for (const file of files) builder.file(at, file);
  } else builder.loseInstructions(at, text, role);
}

function readMcpCall(at: string, item: JsonObject, builder: TranscriptBuilder): void {
  // The call and its result are one item, so the item's place serves as the call's id.
  const id = at;
  builder.call(at, id, textOf(item.name), item.arguments);
  const error = typeof item.error === "object" && item.error !== null ? JSON.stringify(item.error) : textOf(item.error);
  if (error !== "") builder.result(at, id, { output: error, isError: true, files: [] });
  else if (typeof item.output === "string") builder.result(at, id, { output: item.output, isError: false, files: [] });
  builder.endStep();
}

/**
 * Reads calls of OpenAI's own tools. The client ran the calls with a `call_id`, such as shells, computers and patches.
 * OpenAI ran the other calls, and their items have results only if the request asked for results. Returns false for an
 * item that is no call, and for a call that OpenAI ran and that has no result.
 */
function readToolItem(at: string, type: string, item: JsonObject, builder: TranscriptBuilder): boolean {
  const [, name, isOutput] = /^(\w+?)_call(_output)?$/.exec(type) ?? [];
  if (name === undefined) return false;
  const id = textOf(item.call_id);
  const { action, actions, operation, code, queries, outputs, results } = item;
  if (id !== "" && isOutput !== undefined) {
    readToolOutput(at, id, item, builder);
    builder.endStep();
  } else if (id !== "") builder.call(at, id, name, objectOf(action ?? operation ?? { actions: actions ?? null }));
  else {
    const output = outputs ?? results ?? null;
    if (output === null) return false;
    builder.call(at, at, name, { code, queries });
    builder.result(at, at, { output, isError: false, files: [] });
    builder.endStep();
  }
  return true;
}

function readToolOutput(at: string, id: string, { output, status }: JsonObject, builder: TranscriptBuilder): void {
  const isError = status === "failed";
  const picture = isJsonObject(output) ? output.image_url : undefined;
  const content = new Content(builder);
  if (picture === undefined) builder.result(at, id, { output: output ?? null, isError, files: [] });
  else {
    content.addFile(`${at}.output`, picture, "", "");
    builder.result(at, id, { output: content.text, isError, files: content.files });
  }
}

function readPicture(at: string, { result, output_format }: JsonObject, builder: TranscriptBuilder): void {
  const file = new Content(builder).read(at, result, `image/${textOf(output_format) || "png"}`, "");
  if (file !== null) builder.file(at, file);
  builder.endStep();
}

function readContent(at: string, value: unknown, builder: TranscriptBuilder): Content {
  const content = new Content(builder);
  const skip = (place: string) => builder.loseUnsupported(place, "content");
  for (const { at: place, value: part } of partsOf(value, at, skip)) {
    const type = textOf(part.type);
    if (["text", "input_text", "output_text", "summary_text", "reasoning_text"].includes(type))
      content.addText(part.text);
    else if (type === "refusal") content.addText(part.refusal);
    else if (type === "input_image" && part.image_url) content.addFile(place, part.image_url, "", "");
    else if (type === "input_file" && (part.file_data || part.file_url))
      content.addFile(place, part.file_data ?? part.file_url, "", part.filename);
    else builder.loseUnsupported(place, type);
  }
  return content;
}
