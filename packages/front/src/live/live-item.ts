/** The items that followers of a conversation receive: events of the journal, and transient items between them. */
import type { ConversationStatus, LiveEvent } from "@cairn/api";
import type { StoredEvent } from "@cairn/store";

/** The status of a conversation. */
export type Status = ConversationStatus;

/** Transient state. Followers that join while it lasts receive it, too. */
export type GoingItem =
  | { readonly type: "progress"; readonly call_id: string; readonly text: string }
  /** The model could not be reached; the request is retried after this many milliseconds. */
  | { readonly type: "waiting"; readonly reason: string; readonly ms: number }
  /** The model's view does not fit any more, so a compaction began; `compaction.committed` ends this state. */
  | { readonly type: "compacting"; readonly before_tokens: number };

export type LiveItem =
  | { readonly type: "event"; readonly stored: StoredEvent }
  | ({ readonly type: "delta" } & LiveEvent<"stream.delta">)
  /** The stream ended: its text is in a block, or was dropped. Sent after the events that record this. */
  | { readonly type: "ended"; readonly stream: string }
  /** The text of a stream will not become a block, because it is written again. */
  | { readonly type: "discarded"; readonly stream: string }
  | GoingItem
  | { readonly type: "status"; readonly status: Status; readonly queue_position?: number }
  | { readonly type: "heartbeat" };

/** Number of characters of an item, for limits. Long texts are not copied to be measured. */
export function sizeOfItem(item: LiveItem): number {
  return item.type === "event" ? sizeOfEvent(item.stored) : JSON.stringify(item).length;
}

export function sizeOfEvent({ event }: StoredEvent): number {
  if ("unknown" in event || event.kind !== "block.appended") return JSON.stringify(event.body).length;
  const { text = "", base64, ...rest } = event.body.block;
  return text.length + (typeof base64 === "string" ? base64.length : 0) + JSON.stringify(rest).length;
}
