/** Finds out which system wrote a list of messages. */
import { CairnError, isJsonObject, type JsonObject } from "@cairn/timeline";
import { type Placed, partsOf, textOf } from "./fields.ts";
import { readAnthropicMessages } from "./read-anthropic-messages.ts";
import { readChatMessages } from "./read-chat-messages.ts";
import { readResponsesItems } from "./read-responses-items.ts";
import { readUiMessages } from "./read-ui-messages.ts";
import { TranscriptBuilder } from "./transcript-builder.ts";

const READERS = {
  "ai-sdk": readUiMessages,
  "openai-chat": readChatMessages,
  "openai-responses": readResponsesItems,
  anthropic: readAnthropicMessages,
} as const satisfies Readonly<Record<MessageFormat, unknown>>;

/** The system that wrote a list of messages. */
export type MessageFormat = "ai-sdk" | "openai-chat" | "openai-responses" | "anthropic";

/** The list itself, or a request that contains it as `messages` or `input`. Throws `bad_request` if there is none. */
export function readMessages(given: unknown, format?: MessageFormat) {
  const { list, name, instructions } = listOf(given);
  const builder = new TranscriptBuilder();
  const skip = (at: string) => builder.loseUnsupported(at, "message");
  const messages = partsOf(list, name, skip).map(asMessage);
  if (instructions !== "") builder.loseInstructions(name, instructions, "system");
  if (format !== undefined && !Object.hasOwn(READERS, format))
    throw new CairnError(
      "bad_request",
      `There is no format ${JSON.stringify(format)}. The formats are: ${Object.keys(READERS).join(", ")}.`,
      { field: "format" },
    );
  const found = format ?? detectFormat(messages);
  READERS[found](messages, builder);
  const { transcript, losses } = builder.finish();
  if (transcript.turns.length === 0)
    throw new CairnError(
      "bad_request",
      "There is nothing to import: the list has no message of a user or an assistant.",
    );
  return { format: found, transcript, losses };
}

/** A string in a list of messages is a message of the user. */
function asMessage({ at, value }: Placed): Placed {
  return value.role === undefined && value.type === "text"
    ? { at, value: { role: "user", content: value.text ?? "" } }
    : { at, value };
}

function listOf(given: unknown): { readonly list: unknown; readonly name: string; readonly instructions: string } {
  const none = { name: "messages", instructions: "" };
  if (Array.isArray(given)) return { ...none, list: given };
  if (isJsonObject(given)) {
    const { messages, input, system, instructions } = given;
    const said = instructionsOf(system ?? instructions);
    if (Array.isArray(messages)) return { list: messages, name: "messages", instructions: said };
    if (Array.isArray(input)) return { list: input, name: "input", instructions: said };
  }
  throw new CairnError(
    "bad_request",
    "This is not a list of messages. Pass an array of messages, or an object with the array as `messages` or `input`.",
  );
}

function instructionsOf(given: unknown): string {
  const parts = partsOf(given, "", () => undefined);
  return parts.map(({ value }) => textOf(value.text)).join("\n\n");
}

/** Messages that contain only text have the same form in several systems. */
function detectFormat(messages: readonly Placed[]): MessageFormat {
  for (const { value } of messages) {
    if (Array.isArray(value.parts) || isModelMessage(value)) return "ai-sdk";
    if (value.role === "tool" || value.role === "function" || value.tool_calls || value.function_call)
      return "openai-chat";
    if (typeof value.type === "string" && value.type !== "text") {
      // Every message in an answer of Anthropic has the type `message`, too.
      if (value.type !== "message" || !isAnthropic(value)) return "openai-responses";
    }
    if (isAnthropic(value)) return "anthropic";
    const types = contentTypes(value);
    if (types.some((type) => /^(?:input|output)_(?:text|image|file)$/.test(type))) return "openai-responses";
    if (types.some((type) => type === "image_url" || type === "input_audio" || type === "file")) return "openai-chat";
  }
  return "openai-chat";
}

const ANTHROPIC_TYPES = /tool_use$|tool_result$|^(?:redacted_)?thinking$|^image$|^document$/;

function isAnthropic(message: JsonObject): boolean {
  return contentTypes(message).some((type) => ANTHROPIC_TYPES.test(type));
}

/** A message of the AI SDK that is sent to a model. */
function isModelMessage({ content }: JsonObject): boolean {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.some(
    ({ type, image, mediaType }) =>
      type === "tool-call" || type === "tool-result" || image !== undefined || mediaType !== undefined,
  );
}

function contentTypes({ content }: JsonObject): readonly string[] {
  return Array.isArray(content) ? content.flatMap((part) => (isJsonObject(part) ? [textOf(part.type)] : [])) : [];
}
