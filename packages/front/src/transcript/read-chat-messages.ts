/** Messages of OpenAI's Chat Completions API and of compatible servers. */
import type { JsonObject } from "@cairn/timeline";
import { objectOf, type Placed, partsOf, textOf } from "./fields.ts";
import { Content } from "./read-file.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

export function readChatMessages(messages: readonly Placed[], builder: TranscriptBuilder): void {
  for (const { at, value } of messages) {
    const content = readContent(at, value, builder);
    const output = { output: content.text, isError: false, files: content.files };
    switch (value.role) {
      case "user":
        builder.prompt(content.text, content.files);
        break;
      case "assistant":
        readAssistant(at, value, content, builder);
        break;
      case "tool":
        builder.result(at, textOf(value.tool_call_id), output);
        break;
      case "function": // The old format, from before calls had ids.
        builder.result(at, functionId(value.name), output);
        break;
      default:
        builder.loseInstructions(at, content.text, value.role);
    }
  }
}

function readAssistant(at: string, message: JsonObject, content: Content, builder: TranscriptBuilder): void {
  builder.endStep();
  const thoughts = textOf(message.reasoning_content) || textOf(message.reasoning);
  builder.think(thoughts);
  if (thoughts !== "") builder.loseReasoning(at);
  builder.say(content.text);
  builder.say(textOf(message.refusal));
  for (const file of content.files) builder.file(at, file);
  if (message.audio) builder.loseUnsupported(`${at}.audio`, "audio");
  const skip = (place: string) => builder.loseUnsupported(place, "call");
  for (const { at: place, value } of partsOf(message.tool_calls, `${at}.tool_calls`, skip)) {
    const called = objectOf(value.function ?? value.custom);
    builder.call(place, textOf(value.id), textOf(called.name), called.arguments ?? called.input);
  }
  const { name, arguments: input } = objectOf(message.function_call);
  if (typeof name === "string") builder.call(`${at}.function_call`, functionId(name), name, input);
}

function functionId(name: unknown): string {
  return `function ${textOf(name)}`;
}

function readContent(at: string, message: JsonObject, builder: TranscriptBuilder): Content {
  const content = new Content(builder);
  const skip = (place: string) => builder.loseUnsupported(place, "content");
  for (const { at: place, value } of partsOf(message.content, `${at}.content`, skip)) {
    const type = textOf(value.type);
    const audio = objectOf(value.input_audio);
    const file = objectOf(value.file);
    if (type === "text") content.addText(value.text);
    else if (type === "refusal") content.addText(value.refusal);
    else if (type === "image_url") content.addFile(place, objectOf(value.image_url).url ?? value.image_url, "", "");
    else if (type === "input_audio")
      content.addFile(place, audio.data, `audio/${textOf(audio.format)}`, `audio.${textOf(audio.format)}`);
    else if (type === "file" && file.file_data !== undefined) content.addFile(place, file.file_data, "", file.filename);
    else builder.loseUnsupported(place, type);
  }
  return content;
}
