/**
 * The interface of a model: it streams one decision for one rendered timeline. The adapter of a model converts the
 * rendered view and its checkpoint plan to the provider's request format, and streams the model's answer.
 */
import type {
  BlobRef,
  CacheStrategy,
  CacheTtl,
  FileKind,
  FileLimits,
  JsonObject,
  Lowering,
  ProviderId,
  RenderedView,
  WireRequest,
} from "@cairn/timeline";
import type { ModelPrices, ProtocolName } from "./providers/provider.ts";
import type { RequestSettings } from "./request-settings.ts";

export interface Model {
  /** The id in receipts and for users, such as `anthropic:claude-…` or `offline`. */
  readonly id: string;
  /** The provider whose cache rules and prices apply. */
  readonly provider: ProviderId;
  /** How requests with these settings send the history; absent for models without a network. */
  loweringOf?(request: Pick<ModelRequest, "settings" | "inText">): Lowering;
  /** Whether native requests return the model's earlier reasoning to it. */
  readonly keepsReasoning?: boolean;
  /** The model's window, and its maximum output in one answer. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Kinds of files that the model is known not to accept; empty if unknown. */
  readonly describes?: readonly FileKind[];
  /** Limits on pictures and documents in a request. Absent: no limit. */
  readonly files?: FileLimits;
  /** The changes that the provider requires for these tools, one sentence each. Absent: none. */
  describeFitting?(tools: readonly ToolSpec[]): readonly string[];
  /** Whether the provider itself makes answers match this schema. Absent: no. */
  takesOutput?(schema: JsonObject): boolean;
  /** How the model calls tools: with the provider's tool calls (the default), or in text because it cannot. */
  readonly protocol?: ProtocolName | undefined;
  /** Price of a million tokens, in dollars; absent if unknown. A free model has price 0. */
  readonly prices?: ModelPrices;
  /**
   * Streams one decision and ends with `finish`. Throws a `ModelError`; an aborted signal ends it at once. May be
   * called again with the same request.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
  /**
   * Returns the body that `stream` would send, without sending it, so that a past request can be serialised again.
   * Absent for models without a network, or that do not support it.
   */
  spell?(request: ModelRequest): Promise<SentBody & { readonly body: string }>;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Called with the sent request before the first part of the answer, if the model uses a network. */
  readonly onSent?: (sent: SentBody) => void;
}

/** The body of a request as it was sent. */
export interface SentBody {
  /** The body of the HTTP request, byte for byte; null when the adapter cannot see it. */
  readonly body: string | null;
  /** The request as wire blocks, which determine what the provider's cache can reuse. */
  readonly wire: WireRequest;
  /** Settings outside the messages of the request that may affect the cache of the messages. */
  readonly settings: string;
  /** The hash of the schema that the provider makes the answer match. */
  readonly output?: string;
  /** The package and version that serialised the request; another version may give different bytes. */
  readonly speller: string;
}

/** A tool as described to a model. */
export interface ToolSpec {
  /** The name in the registry (`react.read`); an adapter converts characters that its provider does not allow. */
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** A text that describes the tools, for a model that calls no tools. It follows the system text. */
  readonly inText?: ToolsInText;
  readonly view: RenderedView;
  readonly strategy: CacheStrategy;
  readonly ttl: CacheTtl;
  /** The cache key of the conversation. A provider routes requests with the same key to the same cache. */
  readonly cacheKey: string;
  readonly maxOutputTokens: number;
  /** A text that is appended to the view and never stored; asks for a summary, for example. */
  readonly instruction?: string;
  /**
   * `none` when the answer must be text. `none` invalidates the cached messages at Anthropic, and the cached tools at
   * Bedrock; where the cache matters, ask for text in words instead.
   */
  readonly toolChoice?: "auto" | "none";
  /** Settings of the request. The request's own `toolChoice` and `maxOutputTokens` override the settings. */
  readonly settings?: RequestSettings;
  /**
   * The schema that the provider makes the answer match. It is part of the beginning of the prefix, so a request with a
   * different schema, or without a schema, reads nothing from the cache.
   */
  readonly output?: OutputFormat;
  /** Kinds of files that are described in words instead of sent. */
  readonly describes?: readonly FileKind[];
  /** How a past request was sent, if it is serialised again. Its tools are in the provider's form. */
  readonly sentAs?: SentForm;
  /** Returns the base64 of bytes that a view refers to. */
  readonly readBlob: (ref: BlobRef) => Promise<string>;
}

export interface OutputFormat {
  readonly schema: JsonObject;
  /** SHA-256 of the JSON of the schema. */
  readonly hash: string;
}

/** Tools as text. The version and the code are stored, so that the same text can be made from the tools again. */
export interface ToolsInText {
  readonly version: 1;
  readonly code: string;
  readonly text: string;
}

/** Details of how a past request was sent. New requests may be sent differently. */
interface SentForm {
  readonly lowering: Lowering;
  /** Whether earlier reasoning was sent back. */
  readonly reasoning: boolean;
  /** The version of the code that converted the reasoning settings (`ask-reasoning.ts`). */
  readonly reasoningRules: number;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** A call begins; `index` distinguishes the calls of one answer. */
  | { readonly type: "call"; readonly index: number; readonly name: string }
  /** The next piece of the JSON of a call's parameters. */
  | { readonly type: "params"; readonly index: number; readonly text: string }
  /** A piece of reasoning is complete: its readable text, and the signed fields that the provider wants back. */
  | { readonly type: "reasoning"; readonly text: string; readonly options: JsonObject }
  /** Signed fields that the provider wants back with a call. */
  | { readonly type: "sealed"; readonly index: number; readonly options: JsonObject }
  /** Settings of the request that the provider does not accept, or changes; one sentence each. */
  | { readonly type: "left_out"; readonly settings: readonly string[] }
  | {
      readonly type: "finish";
      readonly reason: FinishReason;
      readonly usage: ModelUsage;
      /** The provider's id of the answer, and the model that gave it, if the provider reports them. */
      readonly response?: { readonly id?: string; readonly model?: string };
    };

/** `length`: the limit of output tokens was reached. `pause`: the provider wants another request for the rest. */
export type FinishReason = "stop" | "calls" | "length" | "pause" | "refusal" | "other";

/** The tokens of one request to a model. */
export interface ModelUsage {
  /** All input tokens, including cached ones. `Usage` of a result counts only the uncached ones in its `input`. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour, if the provider reports it. */
  readonly cacheWriteLong?: number;
}

export const NO_USAGE: ModelUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
