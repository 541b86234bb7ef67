/**
 * What a follower of a conversation is told, in order: journal events, and between them what is not journaled. Items of
 * one process are shared by all followers of a conversation.
 */
import type { StreamKind } from "@cairn/agent";
import type { StoredEvent } from "@cairn/store";

/** Where a conversation stands. */
export type Status = "idle" | "queued" | "running" | "waiting";

/** What is true for a while, and told to whoever joins meanwhile. */
export type GoingItem =
  | { readonly type: "progress"; readonly call_id: string; readonly text: string }
  /** The model could not be reached and is asked again after so many milliseconds. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number }
  /** What the model sees does not fit any more and is being summarised; `compaction.committed` ends it. */
  | { readonly type: "compacting"; readonly before_tokens: number };

export type LiveItem =
  | { readonly type: "event"; readonly stored: StoredEvent }
  | {
      readonly type: "delta";
      readonly stream: string;
      readonly turn_id: string | null;
      readonly kind: StreamKind;
      readonly path?: string;
      /** In UTF-16 units. */
      readonly offset: number;
      readonly text: string;
    }
  /** The text of a stream is in a block now, or in none; behind the events that say so. */
  | { readonly type: "ended"; readonly stream: string }
  /** The text of a stream will not become a block: it is written anew. */
  | { readonly type: "discarded"; readonly stream: string }
  | GoingItem
  | { readonly type: "status"; readonly status: Status; readonly queue_position?: number }
  | { readonly type: "heartbeat" };
