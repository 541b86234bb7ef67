/**
 * Converts the history of a `native` request to messages of the AI SDK: of the assistant, of the user, and with
 * results. Each package sends results in its provider's form: Anthropic's joins them with the user's text into one
 * message, OpenAI's makes each result an item or a message, and Google's makes one message for all results of a
 * decision. A cache marker is set on the last part before the breakpoint.
 */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { ContentPart, JsonObject, ResultPart, WireBlock } from "@cairn/timeline";
import type { ProviderOptions } from "./request-settings.ts";

type Marker = { providerOptions?: ProviderOptions };
type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;

/** How a request must be written for the provider's SDK package. */
export interface NativeForm {
  /** Whether the API is OpenAI's Responses API, which takes the tail as a developer message and markers in results. */
  readonly isResponses: boolean;
  /** Whether consecutive texts of a message are sent as one text. */
  readonly joins: boolean;
  /** Whether every message of the assistant has `reasoning_content`, even if that is empty. */
  readonly hasThoughts: boolean;
  /** Whether the provider takes the result of a call as a list of parts. Otherwise it is sent as one text. */
  readonly listsResults: boolean;
  readonly toUserPart: (part: ContentPart, marker: Marker) => UserPart;
}

function merged(sealed: JsonObject, { providerOptions = {} }: Marker): ProviderOptions {
  const all = { ...(sealed as ProviderOptions) };
  for (const [name, options] of Object.entries(providerOptions)) all[name] = { ...all[name], ...options };
  return all;
}

/** Appends a part. With `joins`, a text is joined to the text part before it, unless that part has a marker. */
export function addPart(content: UserPart[], part: UserPart, joins: boolean): void {
  const last = content.at(-1);
  if (joins && part.type === "text" && last?.type === "text" && last.providerOptions === undefined)
    content.splice(-1, 1, { ...part, text: `${last.text}${part.text}` });
  else content.push(part);
}

export class NativePrompt {
  readonly messages: LanguageModelV4Message[] = [];
  readonly #form: NativeForm;

  constructor(form: NativeForm) {
    this.#form = form;
  }

  add({ kind, part, role = "user", startsMessage }: WireBlock, marker: Marker): void {
    const last = startsMessage ? undefined : this.messages.at(-1);
    if (part.type === "call") {
      const { id, name, input, sealed } = part;
      const options = sealed === undefined ? marker : { providerOptions: merged(sealed, marker) };
      this.#assistant(last).push({ type: "tool-call", toolCallId: id, toolName: name, input, ...options });
    } else if (part.type === "reasoning") {
      const providerOptions = part.sealed as ProviderOptions;
      this.#assistant(last).push({ type: "reasoning", text: part.text, providerOptions });
      const message = this.messages.at(-1);
      // The package sends the thought itself. Options of the message would override it, so they are removed.
      if (this.#form.hasThoughts && message !== undefined) delete message.providerOptions;
    } else if (part.type === "result") {
      const result = this.#result(part, marker);
      if (last?.role === "tool") last.content.push(result);
      else this.messages.push({ role: "tool", content: [result] });
    } else if (role === "assistant") {
      if (part.type === "text") this.#assistant(last).push({ type: "text", text: part.text, ...marker });
    } else if (this.#form.isResponses && kind === "tail" && part.type === "text")
      // OpenAI's package sends a system message after the first one as a developer message.
      this.messages.push({ role: "system", content: part.text });
    else if (last?.role === "user") addPart(last.content, this.#form.toUserPart(part, marker), this.#form.joins);
    else this.messages.push({ role: "user", content: [this.#form.toUserPart(part, marker)] });
  }

  #assistant(last: LanguageModelV4Message | undefined) {
    if (last?.role === "assistant") return last.content;
    const message: Extract<LanguageModelV4Message, { role: "assistant" }> = {
      role: "assistant",
      content: [],
      ...(this.#form.hasThoughts ? { providerOptions: { openaiCompatible: { reasoning_content: "" } } } : {}),
    };
    this.messages.push(message);
    return message.content;
  }

  #result({ id, name, content }: ResultPart, marker: Marker): LanguageModelV4ToolResultPart {
    const named = { type: "tool-result", toolCallId: id, toolName: name } as const;
    if (!this.#form.listsResults) {
      const value = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { ...named, output: { type: "text", value }, ...marker };
    }
    const last = content.length - 1;
    const value = content.map((part, at) =>
      this.#form.toUserPart(part, this.#form.isResponses && at === last ? marker : {}),
    );
    return { ...named, output: { type: "content", value }, ...(this.#form.isResponses ? {} : marker) };
  }
}
