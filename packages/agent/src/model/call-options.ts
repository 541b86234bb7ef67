/**
 * Converts wire blocks to a call of the AI SDK's language-model interface.
 *
 * The interface has no cache markers of its own. Each provider package reads markers from `providerOptions` of a part,
 * a system message or a tool, so they are set there for the breakpoints of the lowered request. The packages of
 * Anthropic and Bedrock join consecutive user messages themselves. For other providers this file joins the texts if the
 * lowering asks for it, and the package sends a joined text as a plain string.
 *
 * The packages do not pass on two markers: a Bedrock cache point after a tool, which matters only without a system
 * text, and an OpenAI breakpoint after tools, which the API does not support either.
 */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import {
  type CacheTtl,
  type ContentPart,
  hashText,
  type JsonObject,
  loweringRules,
  type WirePart,
  type WireRequest,
} from "@cairn/timeline";
import type { ModelRequest, OutputFormat } from "./model.ts";
import { addPart, NativePrompt } from "./native-prompt.ts";
import type { ProviderOptions, ToolChoice } from "./request-settings.ts";

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>;

export interface CallSettings {
  /** The name of the SDK's model, such as `openai.responses` or `anthropic.messages`. */
  readonly sdkProvider: string;
  /** Options for the provider's package that the caller gave, such as how much to think. */
  readonly providerOptions?: ProviderOptions;
  readonly abortSignal: AbortSignal;
  /** Converts a tool's name to the form that the provider accepts. */
  readonly toWire: (name: string) => string;
}

/** OpenAI rejects longer cache keys. */
const MAX_CACHE_KEY_LENGTH = 64;

export function callOptions(
  request: ModelRequest,
  wire: WireRequest,
  settings: CallSettings,
): LanguageModelV4CallOptions {
  const ttls = new Map(wire.breakpoints.map(({ i, ttl }) => [i, ttl]));
  const isResponses = settings.sdkProvider.endsWith(".responses");
  const tools: LanguageModelV4FunctionTool[] = [];
  const prompt: LanguageModelV4Message[] = [];
  let message: UserMessage | undefined;
  const joins = loweringRules(wire.lowering).joinsMessages;
  const isNative = wire.lowering.name === "native";
  const native = new NativePrompt({
    isResponses,
    joins,
    hasThoughts: wire.returnsReasoning && settings.sdkProvider.endsWith(".chat"),
    listsResults: isResponses || wire.provider === "anthropic" || wire.provider === "bedrock",
    toUserPart: (part, marker) => userPart(part, wire, isResponses, marker),
  });
  for (const [at, block] of wire.blocks.entries()) {
    const { kind, part, startsMessage } = block;
    const marker = markerOf(wire, ttls.get(at));
    if (kind === "tools")
      tools.push({ ...toolOf(part), ...eagerly(wire, marker), ...(isResponses ? { strict: false } : {}) });
    else if (kind === "system") prompt.push({ role: "system", content: textOf(part), ...marker });
    else if (isNative) native.add(block, marker);
    else {
      if (message === undefined || startsMessage) {
        message = { role: "user", content: [] };
        prompt.push(message);
      }
      if (isContent(part)) addPart(message.content, userPart(part, wire, isResponses, marker), joins);
    }
  }
  prompt.push(...native.messages);
  for (const text of [request.instruction, choiceInWords(request, settings)]) {
    if (text === undefined || !/\S/.test(text)) continue;
    const instruction: UserPart = { type: "text", text: text.toWellFormed() };
    const last = prompt.at(-1);
    if (joins && message !== undefined) addPart(message.content, instruction, joins);
    else if (isNative && wire.provider === "automatic" && last?.role === "user")
      addPart(last.content, instruction, joins);
    else prompt.push({ role: "user", content: [instruction] });
  }
  return {
    prompt,
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 ? choiceOf(request, settings) : {}),
    ...samplingOf(request),
    ...(request.output === undefined ? {} : { responseFormat: formatOf(request.output) }),
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: settings.abortSignal,
    providerOptions: [settings.providerOptions, request.settings?.providerOptions].reduce<ProviderOptions>(
      (merged, theirs) => mergeOptions(merged, theirs ?? {}),
      mergeOptions(requestOptions(request, wire, isResponses), outputOptions(request)),
    ),
  };
}

/** `auto` is the provider's default and is omitted. */
function choiceOf(
  request: ModelRequest,
  { sdkProvider, toWire }: CallSettings,
): Pick<LanguageModelV4CallOptions, "toolChoice"> {
  const choice = sentChoice(request, sdkProvider);
  if (choice === "auto") return {};
  return {
    toolChoice: typeof choice === "string" ? { type: choice } : { type: "tool", toolName: toWire(choice.tool) },
  };
}

const BEDROCK = "amazon-bedrock";

/**
 * The tool choice that is sent. Bedrock has no setting for "no tool". For "no tool" and for one certain tool, Bedrock's
 * package removes the other tools and their earlier calls, and the whole cache would be lost. In these cases a text in
 * the request describes the choice instead.
 */
export function sentChoice(request: ModelRequest, sdkProvider: string): ToolChoice {
  const choice = toolChoiceOf(request);
  if (sdkProvider !== BEDROCK) return choice;
  return typeof choice === "string" ? (choice === "none" ? "auto" : choice) : "required";
}

function choiceInWords(request: ModelRequest, { sdkProvider, toWire }: CallSettings): string | undefined {
  const choice = toolChoiceOf(request);
  if (sdkProvider !== BEDROCK || request.tools.length === 0 || request.inText !== undefined) return undefined;
  if (typeof choice !== "string") return `Call ${toWire(choice.tool)} now.`;
  return choice === "none" ? "Do not call a tool now. Answer in text." : undefined;
}

/** The request's tool choice takes precedence over the tool choice in its settings. */
function toolChoiceOf({ toolChoice, settings }: ModelRequest): ToolChoice {
  return toolChoice ?? settings?.toolChoice ?? "auto";
}

function samplingOf({ settings }: ModelRequest) {
  const { temperature, topP, stop, seed, reasoning } = settings ?? {};
  return {
    ...(reasoning?.effort === undefined ? {} : { reasoning: reasoning.effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function markerOf({ provider }: WireRequest, ttl: CacheTtl | undefined): { providerOptions?: ProviderOptions } {
  if (ttl === undefined) return {};
  // Five minutes is the provider's default lifetime, so no field is sent for it.
  const lifetime = ttl === "5m" ? {} : { ttl };
  switch (provider) {
    case "anthropic":
      return { providerOptions: { anthropic: { cacheControl: { type: "ephemeral", ...lifetime } } } };
    case "bedrock":
      return { providerOptions: { bedrock: { cachePoint: { type: "default", ...lifetime } } } };
    case "openai":
      return { providerOptions: { openai: { promptCacheBreakpoint: { mode: "explicit" } } } };
    case "automatic":
      return {};
  }
}

/** Anthropic's option for streaming a call's parameters early (see `wire-input.ts`), in the form of its package. */
function eagerly({ provider }: WireRequest, marker: { providerOptions?: ProviderOptions }) {
  if (provider !== "anthropic") return marker;
  return { providerOptions: mergeOptions({ anthropic: { eagerInputStreaming: true } }, marker.providerOptions ?? {}) };
}

/** OpenAI's own models accept a routing key for every kind of cache; other packages ignore the field. */
function requestOptions({ cacheKey }: ModelRequest, wire: WireRequest, isResponses: boolean): ProviderOptions {
  if (wire.provider === "anthropic" || wire.provider === "bedrock") return {};
  return {
    openai: {
      promptCacheKey:
        cacheKey.length > MAX_CACHE_KEY_LENGTH ? hashText(cacheKey).slice(0, MAX_CACHE_KEY_LENGTH) : cacheKey,
      ...(wire.breakpoints.length === 0 ? {} : { promptCacheOptions: { mode: "explicit" } }),
      // The whole history is sent each time, so the provider need not store it.
      ...(isResponses ? { store: false } : {}),
    },
  };
}

function formatOf({ schema }: OutputFormat): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  return { type: "json", name: "output", schema: schema as LanguageModelV4FunctionTool["inputSchema"] };
}

/** Asks for structured output by the provider's own option. The packages' other methods would change the tools. */
function outputOptions({ output }: ModelRequest): ProviderOptions {
  if (output === undefined) return {};
  return { anthropic: { structuredOutputMode: "outputFormat" }, openai: { strictJsonSchema: true } };
}

export function mergeOptions(ours: ProviderOptions, theirs: ProviderOptions): ProviderOptions {
  const merged: ProviderOptions = { ...ours };
  for (const [provider, options] of Object.entries(theirs)) merged[provider] = { ...merged[provider], ...options };
  return merged;
}

/** A tool's block contains the tool as JSON with its keys in a fixed order. */
function toolOf(part: WirePart): LanguageModelV4FunctionTool {
  const { name, description, schema } = JSON.parse(textOf(part)) as {
    name: string;
    description: string;
    schema: JsonObject;
  };
  return { type: "function", name, description, inputSchema: schema as LanguageModelV4FunctionTool["inputSchema"] };
}

function textOf(part: WirePart): string {
  return part.type === "text" ? part.text : "";
}

/** Whether the part is content, and not a call or a result. A flat request has content only. */
function isContent(part: WirePart): part is ContentPart {
  return part.type === "text" || part.type === "image" || part.type === "document";
}

function userPart(
  part: ContentPart,
  { provider }: WireRequest,
  isResponses: boolean,
  marker: { providerOptions?: ProviderOptions },
): UserPart {
  if (part.type === "text") return { type: "text", text: part.text, ...marker };
  const data = { type: "data", data: part.data } as const;
  if (part.type === "image") {
    const detail: ProviderOptions = isResponses ? { openai: { imageDetail: "auto" } } : {};
    const providerOptions = mergeOptions(detail, marker.providerOptions ?? {});
    const options = Object.keys(providerOptions).length === 0 ? {} : { providerOptions };
    return { type: "file", mediaType: part.media_type, data, ...options };
  }
  // Anthropic's package sends a file name as the document's title. The lowered block has no title, so no name is given.
  const named =
    provider === "anthropic" ? {} : { filename: `document-${part.nth}${provider === "bedrock" ? "" : ".pdf"}` };
  return { type: "file", mediaType: part.media_type, data, ...named, ...marker };
}
