/**
 * A conversation, or its last turns, as a person watches it: the turns, what waits for them, and the sources they cite.
 * It is never changed in place: a fold gives a new one, and shares with it every part that stayed as it was.
 */
import type { Json } from "../json.ts";
import type { SourceRow } from "../sources/row.ts";
import type { TurnView } from "./turn-view.ts";

/** A message nobody has taken up yet. */
export interface PendingView {
  readonly key: string;
  readonly mode: "turn" | "steer" | "follow-up";
  readonly message: string;
  readonly attachments: readonly { readonly name: string; readonly mime: string; readonly size_bytes: number }[];
  readonly ts: string;
}

/** A call that waits for a person's consent. */
export interface ApprovalView {
  readonly call_id: string;
  readonly tool_id: string;
  /** Those that will run, references bound. */
  readonly params: Json;
  /** What an answer has to name; null when an earlier version asked. */
  readonly hash: string | null;
  readonly turn_id: string | null;
}

export interface ConversationView {
  /** Seq of the last event that was folded. */
  readonly seq: number;
  readonly title: string | null;
  /** How many turns came before the first one here. */
  readonly earlier: number;
  readonly turns: readonly TurnView[];
  /** By SID; without hosting fields. */
  readonly sources: readonly SourceRow[];
  /** The highest SID there is so far; a text written now can cite up to it. */
  readonly highest_sid: number;
  readonly pending: readonly PendingView[];
  readonly approvals: readonly ApprovalView[];
}

/** A view before its first event: `seq`, `earlier` and `highestSid` say where in the conversation that is. */
export function emptyView(
  start: { readonly seq?: number; readonly earlier?: number; readonly highestSid?: number } = {},
): ConversationView {
  const { seq = 0, earlier = 0, highestSid = 0 } = start;
  return { seq, earlier, title: null, turns: [], sources: [], highest_sid: highestSid, pending: [], approvals: [] };
}
