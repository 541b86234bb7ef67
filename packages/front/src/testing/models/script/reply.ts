/** The answer of a scripted model, independent of the provider. The dialects translate it. */
import type { JsonObject } from "@cairn/timeline";

export interface ScriptedCall {
  readonly name: string;
  /** The provider's usual form with a running number unless given. */
  readonly id?: string;
  readonly input?: JsonObject;
  /** Sent unchanged instead of `input`: truncated or malformed JSON. */
  readonly rawInput?: string;
}

/** Replaces the rest of a streamed message, after this many pieces of content, and at the latest before its end. */
export interface Interruption {
  readonly after: number;
  /**
   * `cut`: the connection is closed without an error. `stall`: the server sends nothing more until the client
   * disconnects. `error`: the provider's own error event for an overloaded server. Without streaming, the first two
   * come before the answer, and the third replaces it.
   */
  readonly by: "cut" | "stall" | "error";
}

/** A message, in the order thinking, text, calls. `{}` is an empty message. */
export interface MessageReply {
  readonly thinking?: string;
  /** Base64 of thinking that the provider does not show, after the readable one; Anthropic and Bedrock only. */
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
  /** A status, with the provider's usual body for it by default. */
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
  /** The prompt is too large, in the provider's own wording. `limit`: tokens; one less than were sent by default. */
  | { readonly fault: "context_limit"; readonly limit?: number }
  /** The connection is closed before any answer. */
  | { readonly fault: "cut" }
  /** No answer until the client disconnects. */
  | { readonly fault: "stall" };

export type Reply = MessageReply | FaultReply;

export function isFault(reply: Reply): reply is FaultReply {
  return "fault" in reply;
}
