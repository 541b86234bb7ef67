/** What makes one provider's API out of the same server: how it is asked, how it refuses, how it answers. */
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

/** Everything an answer is made of. */
export interface Generation {
  /** Number of the answer, from 1; ids are made of it. */
  readonly nth: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly request: ModelRequest;
  readonly reply: MessageReply;
  readonly input: PromptUsage;
  readonly countTokens: CountTokens;
  readonly tellsUsage: boolean;
}

/** Why a request fails although it is well formed. */
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
  /** Path of the request. */
  readonly path: string;
  readonly countTokens: CountTokens;
  /** In place of the provider's published rules. */
  readonly rules?: ProviderRules;
  readonly imagesResetMessages: boolean;
  readonly server?: ServerName | readonly ServerName[];
  /** Answers of this simulator by the ids of their items, for APIs that let a request refer to them. */
  readonly storedItem: (id: string) => JsonObject | undefined;
}

export interface Dialect {
  readonly api: ApiName;
  /** Where it is asked. */
  readonly path: string | RegExp;
  readonly maxBytes: number;
  /** Throws a `Refusal` when credentials or version are missing or wrong. */
  authorize(headers: IncomingHttpHeaders, apiKey: string | undefined): void;
  /** For a body that is no JSON. */
  refuseJson(problem: string): ErrorAnswer;
  /** Throws a `Refusal` for a body the provider would not take. */
  read(body: Json, options: ReadOptions): ReadRequest;
  fail(failure: Failure): ErrorAnswer;
  /** Where a provider reports this failure inside a stream that has begun: the events. */
  failInStream?(failure: Failure, generation: Generation): readonly WireEvent[] | null;
  /** Answer headers beside the content type. */
  headers(nth: number): Readonly<Record<string, string>>;
  stream(generation: Generation): readonly WireEvent[];
  /** What an overloaded server sends in the middle of a stream, after so many events. */
  streamError(generation: Generation, sent: number): readonly WireEvent[];
  message(generation: Generation): JsonObject;
  /** Items of an answer that later requests may refer to. */
  storedItems?(generation: Generation): readonly JsonObject[];
}
