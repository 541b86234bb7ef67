/** The answer of a scripted model, independent of the provider. The dialects translate it. */
import type { JsonObject } from "@cairn/timeline";

export interface ScriptedCall {
  readonly name: string;
  /** The id of the call. Default: a running number in the provider's usual form. */
  readonly id?: string;
  readonly input?: JsonObject;
  /** Sent unchanged instead of `input`: truncated or malformed JSON. */
  readonly rawInput?: string;
}

/** Ends a streamed message after this many pieces of content, or before its end if it has fewer. */
export interface Interruption {
  readonly after: number;
  /**
   * `cut`: the connection is closed without an error. `stall`: the server sends nothing more until the client
   * disconnects. `error`: the provider's own error event for an overloaded server. Without streaming, `cut` and `stall`
   * happen before the answer, and `error` replaces it.
   */
  readonly by: "cut" | "stall" | "error";
}

/** A message, in the order thinking, text, calls. `{}` is an empty message. */
export interface MessageReply {
  readonly thinking?: string;
  /** Base64 of hidden thinking, which comes after the readable thinking; Anthropic and Bedrock only. */
  readonly redacted?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The model declines, with this text if the provider passes it on. */
  readonly refusal?: string;
  /** The message ends because the limit of output tokens was reached. */
  readonly truncated?: boolean;
  /** The provider pauses the message and expects a request for the rest; Anthropic only. */
  readonly paused?: boolean;
  /** Characters in a streamed piece; 16 by default. */
  readonly pieceSize?: number;
  /** Slow streaming: milliseconds before each piece. */
  readonly delayMs?: number;
  readonly interrupt?: Interruption;
}

/** A reply without any message: an error or a broken connection. */
export type FaultReply =
  /** A response with this status. Default body: the provider's usual one for the status. */
  | {
      readonly fault: "status";
      readonly status: number;
      readonly body?: string | JsonObject;
      readonly message?: string;
      /** Value of the `retry-after` header, in seconds. */
      readonly retryAfter?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The provider's error when it is overloaded: 529 at Anthropic, 503 at OpenAI. */
  | { readonly fault: "overloaded"; readonly retryAfter?: number }
  | { readonly fault: "rate_limited"; readonly retryAfter?: number }
  /** The error for a prompt that is too large. `limit` is in tokens; default: one less than the prompt has. */
  | { readonly fault: "context_limit"; readonly limit?: number }
  /** The connection is closed without an answer. */
  | { readonly fault: "cut" }
  /** The server sends no answer until the client disconnects. */
  | { readonly fault: "stall" };

export type Reply = MessageReply | FaultReply;

export function isFault(reply: Reply): reply is FaultReply {
  return "fault" in reply;
}
