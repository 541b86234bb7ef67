/**
 * Any language model of the AI SDK as a `Model`.
 *
 * The adapter calls the model's own interface and not the SDK's `streamText`. So the SDK neither retries nor runs
 * further steps, and the sent bytes depend only on the request. If the stream fails, a caller that retries discards the
 * parts that it already received.
 */
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import {
  CairnError,
  type FileKind,
  FLAT_1,
  FLAT_2,
  type Lowering,
  lowerView,
  NATIVE_1,
  NATIVE_2,
  type ProviderId,
  type WireApi,
  type WireRequest,
} from "@cairn/timeline";
import { unlessAborted } from "../process/unless-aborted.ts";
import { askReasoning } from "./ask-reasoning.ts";
import { cacheGround } from "./cache-ground.ts";
import { callOptions, mergeOptions, sentChoice } from "./call-options.ts";
import { describeFitting } from "./fit-tools.ts";
import type { Model, ModelPart, ModelRequest, SentBody } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { PartReader } from "./part-reader.ts";
import { patientFetch } from "./patient-fetch.ts";
import type {
  AskedReasoning,
  ModelPrices,
  OutputRule,
  ProtocolName,
  Provider,
  SchemaRule,
} from "./providers/provider.ts";
import type { ProviderOptions } from "./request-settings.ts";
import { takesOutput } from "./takes-output.ts";
import { toModelError } from "./to-model-error.ts";
import { wireInput, withEagerTools } from "./wire-input.ts";

type Fetch = typeof globalThis.fetch;

/** Rules and error messages of the provider that override those of the registry. */
type OwnRules = Partial<
  Pick<
    Provider,
    "toolNames" | "refusedAtRoot" | "contextLimit" | "refusedFiles" | "files" | "reasoning" | "refusedTools"
  >
>;

export interface AiSdkModelOptions extends OwnRules {
  /**
   * The SDK's model, or a function that makes it with a given `fetch`. With the function, the sent bytes are captured
   * at `fetch`, and a past request can be serialised again without being sent.
   */
  readonly model: LanguageModelV4 | ((fetch: Fetch, lowering: Lowering) => LanguageModelV4);
  /** Package and version that serialise the request, such as `@ai-sdk/anthropic 4.0.102`, for receipts. */
  readonly speller?: string;
  /** The id in receipts and for users, such as `anthropic:claude-…`. */
  readonly id: string;
  /** The provider whose cache rules the model follows. */
  readonly provider: ProviderId;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
  /** Kinds of files that the model is known not to accept. */
  readonly describes?: readonly FileKind[];
  /** The rules for tool schemas. */
  readonly schemas?: SchemaRule;
  /** The schemas that the provider itself can enforce on an answer. Absent: the provider enforces none. */
  readonly output?: OutputRule | null;
  /** How the history is sent (default: `native`). `FLAT_2` suits models that refuse calls or results in the history. */
  readonly lowering?: Lowering;
  /** Whether the model refuses native history when these reasoning settings are used (default: no). */
  readonly refusesNative?: (asked: AskedReasoning) => boolean;
  /** The length that the model requires of call ids. Default: any length. */
  readonly callIdLength?: number | undefined;
  /** Whether the model takes its own earlier reasoning back (default: no). */
  readonly keepsReasoning?: boolean;
  /** How the model calls tools. Default: with the provider's own tool calls. */
  readonly protocol?: ProtocolName;
  /** The caller's own provider options, such as how much to think. */
  readonly providerOptions?: ProviderOptions;
  /** Timeout in milliseconds without any data from the model; default ten minutes. */
  readonly silenceMs?: number;
  /** Returns the time in epoch milliseconds, which dates in `retry-after` are compared with. */
  readonly now?: () => number;
}

const MAX_SILENCE_MS = 600_000;

export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { id, provider, contextTokens, maxOutputTokens, prices, describes, files, output, protocol } = options;
  return {
    id,
    provider,
    keepsReasoning: options.keepsReasoning ?? false,
    loweringOf: (request) => loweringOf(options, request),
    contextTokens,
    maxOutputTokens,
    ...(prices === undefined ? {} : { prices }),
    ...(describes === undefined ? {} : { describes }),
    ...(files === undefined ? {} : { files }),
    ...(output == null ? {} : { takesOutput: (schema) => takesOutput(schema, output) }),
    ...(protocol === undefined ? {} : { protocol }),
    describeFitting: (tools) => describeFitting(id, tools, options),
    stream: (request, { signal, onSent }) => streamParts(options, request, signal, onSent ?? (() => undefined)),
    ...(typeof options.model === "function" ? { spell: (request) => spell(options, request) } : {}),
  };
}

/** Serialises the request without sending it: a special `fetch` captures the body and then throws. */
async function spell(options: AiSdkModelOptions, request: ModelRequest): Promise<SentBody & { readonly body: string }> {
  const unsent = new CairnError("not_sent", "The request was only serialised for inspection; it was not sent.");
  const spelled = Promise.withResolvers<string>();
  const model = modelOf(options, request, async (_, init) => {
    spelled.resolve(textOf(init?.body));
    throw unsent;
  });
  const { call, wire } = await prepare(options, model, request, new AbortController().signal);
  // Nothing is sent, so the package always fails. An error before the body was captured is thrown to the caller.
  model.doStream(call).then(() => spelled.reject(unsent), spelled.reject);
  const body = await spelled.promise;
  return { body, ...told(options, model, request, wire, body) };
}

function modelOf(options: AiSdkModelOptions, request: ModelRequest, fetch: Fetch): LanguageModelV4 {
  const { model } = options;
  return typeof model === "function" ? model(fetch, loweringOf(options, request)) : model;
}

function loweringOf(
  { provider, lowering = defaultLowering(provider), refusesNative, providerOptions = {} }: AiSdkModelOptions,
  { sentAs, inText, settings }: Pick<ModelRequest, "sentAs" | "inText" | "settings">,
): Lowering {
  if (sentAs !== undefined) return sentAs.lowering;
  if (lowering.name === "flat") return lowering;
  // A model that calls tools in text needs no native history, because its calls are part of the text.
  if (inText !== undefined) return FLAT_2;
  const options = mergeOptions(providerOptions, settings?.providerOptions ?? {});
  return refusesNative?.({ ...settings?.reasoning, options }) === true ? FLAT_1 : lowering;
}

/** Only Chat Completions servers cache without markers. Some of these servers accept a text only as a plain string. */
function defaultLowering(provider: ProviderId): Lowering {
  return provider === "automatic" ? NATIVE_2 : NATIVE_1;
}

function told(
  options: AiSdkModelOptions,
  model: LanguageModelV4,
  request: ModelRequest,
  wire: WireRequest,
  body: string | null,
): Omit<SentBody, "body"> {
  const settings = body === null ? askedGround(options, model, request) : cacheGround(body);
  const output = request.output === undefined ? {} : { output: request.output.hash };
  return { wire, settings, speller: options.speller ?? model.provider, ...output };
}

/** The settings as they were given, for a model whose sent bytes cannot be captured. */
function askedGround(
  { providerOptions = {} }: AiSdkModelOptions,
  model: LanguageModelV4,
  request: ModelRequest,
): string {
  const { providerOptions: theirs, reasoning } = request.settings ?? {};
  return JSON.stringify([
    ...[sentChoice(request, model.provider), providerOptions, ...(theirs === undefined ? [] : [theirs])],
    ...(reasoning === undefined ? [] : [{ reasoning }]),
  ]);
}

/** The request body as text. Every provider package sends JSON as a string. */
function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body ?? null);
}

/** Receipts record exactly the wire blocks that were sent, and a past request is serialised again from them. */
async function prepare(
  options: AiSdkModelOptions,
  model: LanguageModelV4,
  request: ModelRequest,
  abortSignal: AbortSignal,
) {
  const { provider, providerOptions, toolNames, refusedAtRoot, schemas, callIdLength } = options;
  const { input, names, restores } = await wireInput(request, {
    toolNames,
    refusedAtRoot,
    schemas,
    callIdLength,
    api: apiOf(model),
    lowering: loweringOf(options, request),
    ...((request.sentAs?.reasoning ?? options.keepsReasoning === true) ? { reasoningOf: options.id } : {}),
  });
  const lowered = lowerView(request.view, input, provider);
  const wire = provider === "anthropic" ? withEagerTools(lowered) : lowered;
  const settings = { sdkProvider: model.provider, abortSignal, toWire: names.toWire };
  const reasoning = askReasoning(request.settings?.reasoning, options, request.sentAs?.reasoningRules);
  const merged = mergeOptions(providerOptions ?? {}, reasoning.options);
  const call = callOptions(request, wire, { ...settings, providerOptions: merged });
  return { call, leftOut: reasoning.leftOut, wire, names, restores };
}

function apiOf({ provider }: LanguageModelV4): WireApi {
  if (provider.startsWith("google")) return "google";
  return provider.endsWith(".chat") || provider === "amazon-bedrock" ? "chat" : "responses";
}

async function* streamParts(
  options: AiSdkModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
  onSent: (sent: SentBody) => void,
): AsyncGenerator<ModelPart> {
  const { silenceMs = MAX_SILENCE_MS, now = Date.now } = options;
  signal.throwIfAborted();
  let body: string | null = null;
  const model = modelOf(options, request, (resource, init) => {
    body = textOf(init?.body);
    return patientFetch(resource, init);
  });
  const watch = new Watch(signal, silenceMs);
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
  try {
    const { call, wire, names, restores, leftOut } = await prepare(options, model, request, watch.signal);
    const { stream } = await watch.over(model.doStream(call));
    // Packages do not always report exactly what they sent (`request.body`), so the adapter's `fetch` captures it.
    onSent({ body, ...told(options, model, request, wire, body) });
    reader = stream.getReader();
    if (leftOut.length > 0) yield { type: "left_out", settings: leftOut };
    const keepsThoughts = options.keepsReasoning === true && model.provider.endsWith(".chat");
    const parts = new PartReader(names, restores, keepsThoughts);
    for (;;) {
      const { done, value } = await watch.over(reader.read());
      if (done) break;
      if (value.type === "error") throw value.error;
      yield* parts.read(value);
    }
    if (!parts.finished) throw new ModelError("transient", "The model's answer ended before it was complete.");
  } catch (error) {
    signal.throwIfAborted();
    // An error of Cairn's own store, such as missing bytes, is not an error of the model.
    throw CairnError.is(error) ? error : toModelError(error, now(), options);
  } finally {
    watch.end();
    // No caller waits for the connection to close, so an error while closing it does not matter.
    reader?.cancel().catch(() => undefined);
  }
}

/** Ends a wait when the caller aborts or the model is silent for too long, even if the provider ignores the signal. */
class Watch {
  readonly signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #silenceMs: number;

  constructor(caller: AbortSignal, silenceMs: number) {
    this.signal = AbortSignal.any([caller, this.#stop.signal]);
    this.#silenceMs = silenceMs;
  }

  async over<T>(waited: PromiseLike<T>): Promise<T> {
    const timer = setTimeout(() => this.#stop.abort(silence(this.#silenceMs)), this.#silenceMs);
    try {
      return await unlessAborted(waited, this.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the stream, and the connection if the provider is still sending. */
  end(): void {
    this.#stop.abort();
  }
}

function silence(ms: number): ModelError {
  return new ModelError("transient", `The model sent nothing for ${Math.round(ms / 1000)} s.`);
}
