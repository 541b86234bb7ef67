/** The parts of one provider's API on the simulator's server: its paths, its errors and its answers. */
import type { IncomingHttpHeaders } from "node:http";
import type { CountTokens, Json, JsonObject, ProviderRules } from "@cairn/timeline";
import type { ServerName } from "../body/server-name.ts";
import type { Prompt } from "../cache/prompt.ts";
import type { PromptUsage } from "../cache/prompt-cache.ts";
import type { ErrorAnswer } from "../http/refusal.ts";
import type { WireEvent } from "../http/wire-event.ts";
import type { ApiName, ModelRequest } from "../script/model-request.ts";
import type { MessageReply } from "../script/reply.ts";

export interface ReadRequest {
  readonly request: ModelRequest;
  readonly prompt: Prompt;
}

/** Everything needed to build an answer. */
export interface Generation {
  /** Number of the answer, from 1; ids contain it. */
  readonly nth: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly request: ModelRequest;
  readonly reply: MessageReply;
  readonly input: PromptUsage;
  readonly countTokens: CountTokens;
  readonly tellsUsage: boolean;
  /** Whether answers of Chat Completions contain the model's thinking, as some servers send it. */
  readonly tellsThoughts: boolean;
}

/** The reason why a well-formed request fails. */
export type Failure =
  | { readonly kind: "status"; readonly status: number; readonly message?: string }
  | { readonly kind: "overloaded" }
  | { readonly kind: "rate_limited" }
  | { readonly kind: "too_large"; readonly maxBytes: number }
  | {
      readonly kind: "context_limit";
      readonly tokens: number;
      readonly limit: number;
      readonly maxTokens: number | null;
    };

export interface ReadOptions {
  /** Path of the HTTP request. */
  readonly path: string;
  readonly countTokens: CountTokens;
  /** Cache rules that replace the provider's published ones. */
  readonly rules?: ProviderRules;
  readonly imagesResetMessages: boolean;
  readonly server?: ServerName | readonly ServerName[];
  /** Items of this simulator's answers by id, for APIs in which a request can refer to them. */
  readonly storedItem: (id: string) => JsonObject | undefined;
}

export interface Framing {
  readonly contentType: string;
  readonly spell: (event: WireEvent) => string | Uint8Array;
}

export interface Dialect {
  readonly api: ApiName;
  /** Paths of the API's requests. */
  readonly path: string | RegExp;
  readonly maxBytes: number;
  /** Throws a `Refusal` when credentials or version are missing or wrong. */
  authorize(headers: IncomingHttpHeaders, apiKey: string | undefined): void;
  /** The answer to a body that is not JSON. */
  refuseJson(problem: string): ErrorAnswer;
  /** Throws a `Refusal` for a body that the provider would reject. */
  read(body: Json, options: ReadOptions): ReadRequest;
  fail(failure: Failure): ErrorAnswer;
  /** The events with which the provider reports this failure in a stream that has begun; absent if it never does. */
  failInStream?(failure: Failure, generation: Generation): readonly WireEvent[] | null;
  /** How the events of a stream are sent; default: server-sent events. */
  readonly framing?: Framing;
  /** Additional response headers of the nth request. */
  headers(nth: number): Readonly<Record<string, string>>;
  stream(generation: Generation): readonly WireEvent[];
  /** The events of an overload error after this many events of a stream. */
  streamError(generation: Generation, sent: number): readonly WireEvent[];
  message(generation: Generation): JsonObject;
  /** Items of an answer that later requests may refer to. */
  storedItems?(generation: Generation): readonly JsonObject[];
}
