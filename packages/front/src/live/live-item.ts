/** The items that the followers of a conversation receive: journal events, and transient items between them. */
import type { ConversationStatus, LiveEvent } from "@cairn/api";
import type { StoredEvent } from "@cairn/store";

/** The status of a conversation. */
export type Status = ConversationStatus;

/** Transient state, which is also sent to followers that join meanwhile. */
export type GoingItem =
  | { readonly type: "progress"; readonly call_id: string; readonly text: string }
  /** The model could not be reached; the request is retried after this many milliseconds. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number }
  /** The model's view no longer fits and is being summarised; `compaction.committed` ends this. */
  | { readonly type: "compacting"; readonly before_tokens: number };

export type LiveItem =
  | { readonly type: "event"; readonly stored: StoredEvent }
  | ({ readonly type: "delta" } & LiveEvent<"stream.delta">)
  /** The stream ended: its text is in a block, or was dropped. Sent after the events that record it. */
  | { readonly type: "ended"; readonly stream: string }
  /** The text of a stream will not become a block, because it is written again. */
  | { readonly type: "discarded"; readonly stream: string }
  | GoingItem
  | { readonly type: "status"; readonly status: Status; readonly queue_position?: number }
  | { readonly type: "heartbeat" };

/** The characters of an item, for limits. Long texts are measured without a copy. */
export function sizeOfItem(item: LiveItem): number {
  return item.type === "event" ? sizeOfEvent(item.stored) : JSON.stringify(item).length;
}

export function sizeOfEvent({ event }: StoredEvent): number {
  if ("unknown" in event || event.kind !== "block.appended") return JSON.stringify(event.body).length;
  const { text = "", base64, ...rest } = event.body.block;
  return text.length + (typeof base64 === "string" ? base64.length : 0) + JSON.stringify(rest).length;
}
