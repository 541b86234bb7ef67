/**
 * The model port: one streamed decision for one rendered timeline.
 *
 * History is always the rendered timeline. An adapter lowers the view to its provider's wire form, with the checkpoint
 * plan the view carries, and gives back what the model says piece by piece. It never sends earlier calls as calls.
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
import type { RequestSettings } from "./request-settings.ts";

export interface Model {
  /** `anthropic:claude-…`, `offline`: what a receipt and a user see. */
  readonly id: string;
  /** Whose cache rules and prices apply. */
  readonly provider: ProviderId;
  /** The model's window, and the most it writes in one answer. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Kinds of files it is known not to take; none where that is not known. */
  readonly describes?: readonly FileKind[];
  /** How many pictures and documents it takes in a request, and how large. No limit where absent. */
  readonly files?: FileLimits;
  /** What has to be changed of these tools so that the provider takes them, a sentence each; nothing where absent. */
  describeFitting?(tools: readonly ToolSpec[]): readonly string[];
  /** Price of a million tokens, in dollars; absent when nobody knows it. What costs nothing says 0. */
  readonly prices?: ModelPrices;
  /**
   * Streams one decision. Ends with `finish`. Throws a `ModelError`; an aborted signal ends it at once. May be called
   * again with the same request.
   */
  stream(request: ModelRequest, options: StreamOptions): AsyncIterable<ModelPart>;
  /**
   * What `stream` would send, without sending it: lets a past request be spelled again. Absent where nothing goes over
   * a wire, or where the model cannot say.
   */
  spell?(request: ModelRequest): Promise<SentBody & { readonly body: string }>;
}

interface StreamOptions {
  readonly signal: AbortSignal;
  /** Told what went over the wire, where something does, before the first part of the answer. */
  readonly onSent?: (sent: SentBody) => void;
}

/** A request as it went over the wire. */
export interface SentBody {
  /** The body of the HTTP request, byte for byte; null when the adapter cannot see it. */
  readonly body: string | null;
  /** The same as the provider's cache sees it. */
  readonly wire: WireRequest;
  /** What else the provider was told that the messages' place in its cache may depend on. */
  readonly settings: string;
  /** What spelled it, with its version: another version may spell it otherwise. */
  readonly speller: string;
}

export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Times the input price. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** For entries that live an hour, where that costs more. */
  readonly cacheWriteLong?: number;
  /** Above so many input tokens the whole request costs so many times as much. */
  readonly longPrompt?: { readonly above: number; readonly input: number; readonly output: number };
}

/** A tool as a model is told of it. */
export interface ToolSpec {
  /** As the registry spells it (`react.read`); an adapter maps what its provider does not allow. */
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly view: RenderedView;
  readonly strategy: CacheStrategy;
  readonly ttl: CacheTtl;
  /** Stable for the conversation: routes to the same cache. */
  readonly cacheKey: string;
  readonly maxOutputTokens: number;
  /** Put behind the view, never stored: what a summary is asked for with. */
  readonly instruction?: string;
  /** `none` when the answer must be text. Costs the messages' cache at Anthropic, and the tools' at Bedrock: ask in words where that matters. */
  readonly toolChoice?: "auto" | "none";
  /** How the model is asked to answer. Its `toolChoice` counts where the request has none; `maxOutputTokens` is the request's. */
  readonly settings?: RequestSettings;
  /** Kinds of files that are described in words instead of sent. */
  readonly describes?: readonly FileKind[];
  /** For a request that was sent before and is spelled again: how it was sent. Its tools are as the provider got them. */
  readonly sentAs?: SentForm;
  /** Base64 of bytes a view refers to. */
  readonly readBlob: (ref: BlobRef) => Promise<string>;
}

/** What a past request was spelled with that newer requests may do differently. */
interface SentForm {
  readonly lowering: Lowering;
}

export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  /** A call begins; `index` tells calls of one answer apart. */
  | { readonly type: "call"; readonly index: number; readonly name: string }
  /** More of the JSON of a call's parameters. */
  | { readonly type: "params"; readonly index: number; readonly text: string }
  /** Settings of the request that the provider does not take, or not as they are; a sentence each. */
  | { readonly type: "left_out"; readonly settings: readonly string[] }
  | { readonly type: "finish"; readonly reason: FinishReason; readonly usage: ModelUsage };

/** `length`: the limit of output tokens was reached. `pause`: the provider wants to be asked for the rest. */
export type FinishReason = "stop" | "calls" | "length" | "pause" | "refusal" | "other";

export interface ModelUsage {
  /** All input tokens, cached or not. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Those of `cacheWrite` that live an hour, where the provider tells them apart. */
  readonly cacheWriteLong?: number;
}

export const NO_USAGE: ModelUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
