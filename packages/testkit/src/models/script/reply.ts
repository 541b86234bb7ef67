/**
 * What a scripted model answers, in words that hold for every provider. The dialects spell it.
 */
import type { JsonObject } from "@cairn/timeline";

export interface ScriptedCall {
  readonly name: string;
  /** The provider's usual form with a running number unless given. */
  readonly id?: string;
  readonly input?: JsonObject;
  /** Sent in place of `input`, as it is: cut or malformed JSON. */
  readonly rawInput?: string;
}

/** Instead of the rest of a streamed message, after so many pieces of content, and at the latest before its end. */
export interface Interruption {
  readonly after: number;
  /**
   * `cut`: the connection is closed without a word. `stall`: nothing more comes until the client gives up.
   * `error`: the provider's own error event for an overloaded server. Without streaming the first two come before the
   * answer, and the third is an answer of its own.
   */
  readonly by: "cut" | "stall" | "error";
}

/** A message, in the order thinking, text, calls. `{}` is an empty one. */
export interface MessageReply {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The model declines, with these words where the provider passes them on. */
  readonly refusal?: string;
  /** The message ends because the limit of output tokens was reached. */
  readonly truncated?: boolean;
  /** The provider pauses the message and wants to be asked for the rest; Anthropic only. */
  readonly paused?: boolean;
  /** Characters in a streamed piece; 16 unless said otherwise. */
  readonly pieceSize?: number;
  /** A slow drip: milliseconds before each piece. */
  readonly delayMs?: number;
  readonly interrupt?: Interruption;
}

/** No message at all. */
export type FaultReply =
  /** A status, with the provider's usual body for it unless one is given. */
  | {
      readonly fault: "status";
      readonly status: number;
      readonly body?: string | JsonObject;
      readonly message?: string;
      /** Seconds, in the `retry-after` header. */
      readonly retryAfter?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** As the provider says it when it has no room: 529 at Anthropic, 503 at OpenAI. */
  | { readonly fault: "overloaded"; readonly retryAfter?: number }
  | { readonly fault: "rate_limited"; readonly retryAfter?: number }
  /** The prompt does not fit, in the provider's own wording. `limit`: tokens; one less than were sent by default. */
  | { readonly fault: "context_limit"; readonly limit?: number }
  /** The connection is closed before any answer. */
  | { readonly fault: "cut" }
  /** No answer until the client gives up. */
  | { readonly fault: "stall" };

export type Reply = MessageReply | FaultReply;

export function isFault(reply: Reply): reply is FaultReply {
  return "fault" in reply;
}
