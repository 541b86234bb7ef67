/**
 * A request as one provider wants it: the part of its body that holds tools, system text and history, and the same
 * content as a list of wire blocks, the units of caches, receipts and prices.
 */
import type { JsonObject } from "../../base/json.ts";
import type { BlobRef } from "../../block/blob.ts";
import type { FileKind } from "../../message/message.ts";
import type { CacheStrategy } from "../checkpoints.ts";
import type { CacheTtl, ProviderId } from "../providers.ts";
import type { Lowering } from "./lowering.ts";

export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** The input of a request in addition to the rendered view. */
export interface WireInput {
  readonly tools: readonly WireTool[];
  readonly system: string;
  /** The strategy with which the view was rendered (default: `economic`, which also joins the texts of a group). */
  readonly strategy?: CacheStrategy;
  /** TTL of the timeline's checkpoints (default: `5m`). Tools and system keep 1 h under `economic`. */
  readonly ttl?: CacheTtl;
  /** The API, if the cache rules do not determine it. Default: `responses` for OpenAI, otherwise `chat`. */
  readonly api?: WireApi;
  /** How history is lowered. Default: `flat`, version 1. */
  readonly lowering?: Lowering;
  /** OpenAI: requests with the same key go to the same machines. Each conversation has its own key. */
  readonly cacheKey?: string;
  /** Kinds of files that the model does not accept and that are described in words instead. */
  readonly describes?: readonly FileKind[];
  /** `native`: converts the name of a tool in an earlier call (default: unchanged). */
  readonly toolName?: (tool: string) => string;
  /** `native`: the model whose earlier reasoning is sent back (default: no reasoning is sent back). */
  readonly reasoningOf?: string;
  /** `native`: the length that every call id must have, if the provider asks for one. */
  readonly callIdLength?: number;
  /** Returns the base64 of bytes that the view only refers to. */
  readonly bytesOf?: (blob: BlobRef) => string | undefined;
}

export type WireApi = "responses" | "chat" | "google";

export type WireKind = "tools" | "system" | "stable" | "tail";

/** A piece of content before it is converted to a provider's format. */
export type WirePart = ContentPart | CallPart | ResultPart | ReasoningPart;

/** A call that the model made; `native` only. */
export interface CallPart {
  readonly type: "call";
  /** The id in the form that the provider accepts, unique in the request. */
  readonly id: string;
  /** The tool's name as the provider knows it. */
  readonly name: string;
  readonly input: JsonObject;
  /** Sealed fields that the provider wants back. */
  readonly sealed?: JsonObject;
}

/** Reasoning that the provider wants back unchanged; `native` only. */
export interface ReasoningPart {
  readonly type: "reasoning";
  /** The readable part of the reasoning; may be empty. */
  readonly text: string;
  /** Sealed fields, grouped by the name that the provider's package uses, such as `{anthropic: {signature}}`. */
  readonly sealed: JsonObject;
}

/** Everything that a call produced; `native` only. */
export interface ResultPart {
  readonly type: "result";
  readonly id: string;
  readonly name: string;
  /** The content of the result, never empty. */
  readonly content: readonly ContentPart[];
}

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly media_type: string; readonly data: string }
  /** `nth`: number of the document in the request, from 1, for providers that want a name. */
  | { readonly type: "document"; readonly media_type: string; readonly data: string; readonly nth: number };

/** One position of the provider's cache: a tool, or a block of content. */
export interface WireBlock {
  readonly kind: WireKind;
  readonly part: WirePart;
  /** The content as it appears in the body, without cache markers. */
  readonly content: JsonObject;
  /** Whether a new message of the request begins with this block. */
  readonly startsMessage: boolean;
  /** The role of a part of the history; absent for tools and the system text. */
  readonly role?: WireRole;
}

/** `tool`: the results of calls. Some providers send them in the user's role. */
export type WireRole = "user" | "assistant" | "tool";

/** A cache marker, placed after a wire block. */
export interface Breakpoint {
  readonly i: number;
  readonly ttl: CacheTtl;
}

export interface WireRequest {
  readonly provider: ProviderId;
  readonly lowering: Lowering;
  /** Tools, system text and messages of the body; the caller adds the model and its settings. */
  readonly body: JsonObject;
  readonly blocks: readonly WireBlock[];
  /** The indexes of the breakpoints, ascending. */
  readonly breakpoints: readonly Breakpoint[];
  /** Whether the model takes its earlier reasoning back, if there is any. */
  readonly returnsReasoning: boolean;
}
