/**
 * A conversation, or its last turns, as a person sees it: the turns, messages and approvals that wait, and the cited
 * sources. A view is immutable: a fold returns a new view that shares all unchanged parts.
 */
import type { Json } from "../base/json.ts";
import type { Question } from "../event/event.ts";
import type { SourceRow } from "../sources/row.ts";
import type { TurnView } from "./turn/turn-view.ts";

/** A message that no turn has taken yet. */
export interface PendingView {
  readonly key: string;
  readonly mode: "turn" | "steer" | "follow-up";
  readonly message: string;
  readonly attachments: readonly { readonly name: string; readonly mime: string; readonly size_bytes: number }[];
  readonly ts: string;
}

/** A call that waits for a person's approval or, with a question, for an answer. */
export interface ApprovalView {
  readonly call_id: string;
  readonly tool_id: string;
  /** The parameters that will run, with references bound. */
  readonly params: Json;
  /** The hash that an answer must contain; null for a request from an earlier version. */
  readonly hash: string | null;
  readonly turn_id: string | null;
  readonly question?: Question;
  /** The client runs the call, and the turn waits for its output. */
  readonly client?: true | undefined;
}

export interface ConversationView {
  /** Seq of the last event that was folded. */
  readonly seq: number;
  readonly title: string | null;
  /** Number of turns before the first one in this view. */
  readonly earlier: number;
  readonly turns: readonly TurnView[];
  /** The sources by SID, without hosting fields. */
  readonly sources: readonly SourceRow[];
  /** The highest SID so far; a text written now can cite up to it. */
  readonly highest_sid: number;
  readonly pending: readonly PendingView[];
  readonly approvals: readonly ApprovalView[];
}

/** A view before its first event. `seq`, `earlier` and `highestSid` give its place in the conversation. */
export function emptyView(
  start: { readonly seq?: number; readonly earlier?: number; readonly highestSid?: number } = {},
): ConversationView {
  const { seq = 0, earlier = 0, highestSid = 0 } = start;
  return { seq, earlier, title: null, turns: [], sources: [], highest_sid: highestSid, pending: [], approvals: [] };
}
