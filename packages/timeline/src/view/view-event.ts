/**
 * The fold from events to the view of a person. Pure: the same events in the same order give the same view, folded all
 * at once or one by one, in a server or in a browser. Events of unknown kinds, and those the view was folded from
 * already, change nothing.
 *
 * Internal content stays out of the view: `publicEvent` goes over every event first.
 *
 * A view may begin in the middle of a conversation: events of earlier turns are ignored.
 */
import type { Json } from "../base/json.ts";
import { sourcesKnownIn } from "../citation/known-sources.ts";
import { type EventBody, isKnown, type KnownEvent, type TimelineEvent } from "../event/event.ts";
import { replacesTitle } from "../event/given-title.ts";
import { kindOf } from "../kind/kinds.ts";
import { publicRow } from "../sources/public-row.ts";
import type { SourceRow } from "../sources/row.ts";
import { publicEvent, publicRequest } from "../visibility/public-event.ts";
import type { ApprovalView, ConversationView, PendingView } from "./conversation-view.ts";
import { settledOutcome } from "./turn/round-outcome.ts";
import { newTurnView, type TurnView } from "./turn/turn-view.ts";
import { beginRound, findRound, updateRound } from "./turn/view-round.ts";

/** An event and the number its store gave it. */
export interface SequencedEvent {
  readonly seq: number;
  readonly event: TimelineEvent;
}

export function viewEvents(events: Iterable<SequencedEvent>, view: ConversationView): ConversationView {
  let folded = view;
  for (const each of events) folded = viewEvent(folded, each);
  return folded;
}

export function viewEvent(view: ConversationView, { seq, event }: SequencedEvent): ConversationView {
  if (seq <= view.seq) return view;
  const shown = publicEvent(event);
  const folded = isKnown(shown) ? fold(view, shown, seq) : view;
  return { ...folded, seq };
}

function fold(view: ConversationView, event: KnownEvent, seq: number): ConversationView {
  switch (event.kind) {
    case "turn.opened":
      return openTurn(view, event.body, seq);
    case "turn.closed":
      return changeTurn(view, event.body.turn_id, (turn) => ({
        ...turn,
        closed_at: event.body.ts,
        exit: event.body.exit,
      }));
    case "block.appended":
      return foldBlock(view, event.body, seq);
    case "call.started":
      return changeTurn(view, event.body.turn_id, (turn) =>
        updateRound(beginRound(turn, event.body), event.body.call_id, { status: "running", started_at: event.body.ts }),
      );
    case "approval.requested":
      return requestApproval(view, event.body);
    case "approval.given":
      return giveApproval(view, event.body);
    case "call.settled":
      return settleCall(view, event.body);
    case "input.received":
      return { ...view, pending: [...view.pending, viewPending(event.body)] };
    case "input.withdrawn":
      return { ...view, pending: view.pending.filter(({ key }) => !event.body.messages.includes(key)) };
    case "input.promoted":
      return { ...view, pending: view.pending.filter(({ key }) => key !== event.body.key) };
    case "feedback.received":
      return changeTurn(view, event.body.turn_id, (turn) => ({
        ...turn,
        feedback: [...turn.feedback, { reaction: event.body.reaction, ts: event.body.ts }],
      }));
    case "compaction.committed":
      return viewCompaction(view, event.body);
    case "sources.merged":
      return {
        ...view,
        sources: mergeRows(view.sources, event.body.rows),
        highest_sid: event.body.rows.reduce((highest, { sid }) => Math.max(highest, sid), view.highest_sid),
      };
    case "meta.set": {
      const { conversation_title: title } = event.body;
      return title === undefined ? view : { ...view, title };
    }
    case "title.given":
      return replacesTitle(event.body, view.title) ? { ...view, title: event.body.title } : view;
    case "cancel.requested":
    case "turn.attempted":
    case "turn.suspended":
    case "turn.released":
    case "order.changed":
    case "blocks.hidden":
    case "blocks.pruned":
    case "blocks.clipped":
      return view;
    case "model.receipt":
      return noteModel(view, event.body);
    case "conversation.imported":
      return { ...view, approvals: [] };
    default:
      event satisfies never;
      return view;
  }
}

function openTurn(view: ConversationView, { turn_id, ts }: EventBody<"turn.opened">, seq: number): ConversationView {
  const known = view.turns.some((turn) => turn.turn_id === turn_id);
  if (known) return changeTurn(view, turn_id, (turn) => ({ ...turn, closed_at: null, exit: null }));
  const n = view.earlier + view.turns.length + 1;
  return { ...view, turns: [...view.turns, newTurnView(turn_id, n, seq, ts)] };
}

/** Adds a block. Without an opening event, as in journals of older programs, the first block of a turn begins it. */
function foldBlock(view: ConversationView, body: EventBody<"block.appended">, seq: number): ConversationView {
  const { turn_id, type, ts } = body.block;
  const kind = kindOf(type);
  if (turn_id === undefined || turn_id === "") return view;
  const isKnownTurn = view.turns.some((turn) => turn.turn_id === turn_id);
  const opens = view.earlier === 0 || kind.role === "turn" || kind.role === "prompt";
  if (!isKnownTurn && !opens) return view;
  const opened = isKnownTurn ? view : openTurn(view, { turn_id, ts: ts ?? "" }, seq);
  return changeTurn(opened, turn_id, (turn) =>
    kind.addToTurn(turn, body, sourcesKnownIn(body.block.meta) ?? view.highest_sid),
  );
}

/** Records the model of a turn's request. The model of a summary is not recorded, because it may be another one. */
function noteModel(view: ConversationView, { turn_id, model, purpose }: EventBody<"model.receipt">): ConversationView {
  if (typeof turn_id !== "string" || typeof model !== "string" || purpose === "summary") return view;
  return changeTurn(view, turn_id, (turn) => (turn.model === model ? turn : { ...turn, model }));
}

function requestApproval(view: ConversationView, body: EventBody<"approval.requested">): ConversationView {
  const { call_id, ts } = body;
  const approval = viewApproval(body);
  const turn_id = approval.turn_id ?? turnOfCall(view, call_id)?.turn_id ?? null;
  const others = view.approvals.filter((other) => other.call_id !== call_id);
  const asked = { ...view, approvals: [...others, { ...approval, turn_id }] };
  if (turn_id === null) return asked;
  return changeTurn(asked, turn_id, (turn) =>
    updateRound(beginRound(turn, approval), call_id, { status: "waiting_approval", started_at: ts }),
  );
}

/** Records an approval. The round shows what runs: the parameters as the approver changed them. */
function giveApproval(view: ConversationView, given: EventBody<"approval.given">): ConversationView {
  const answered = view.approvals.find((approval) => isAnswered(approval, given));
  const rest = { ...view, approvals: view.approvals.filter((approval) => approval !== answered) };
  const { approve, params, call_id } = given;
  const turnId = answered?.turn_id ?? null;
  if (turnId === null || !approve || params === undefined) return rest;
  return changeTurn(rest, turnId, (turn) => updateRound(turn, call_id, { params: params as Json }));
}

function isAnswered({ call_id, hash }: ApprovalView, given: EventBody<"approval.given">): boolean {
  return call_id === given.call_id && hash === (given.hash ?? null);
}

export function viewApproval(requested: EventBody<"approval.requested">): ApprovalView {
  const body = publicRequest(requested);
  return {
    call_id: body.call_id,
    tool_id: typeof body.tool_id === "string" ? body.tool_id : "",
    params: (body.params ?? null) as Json,
    hash: body.hash ?? null,
    turn_id: typeof body.turn_id === "string" ? body.turn_id : null,
    ...(body.question === undefined ? {} : { question: body.question }),
    ...(body.client === true ? { client: true as const } : {}),
  };
}

function settleCall(view: ConversationView, { call_id, outcome, ts }: EventBody<"call.settled">): ConversationView {
  const approvals = view.approvals.filter((approval) => approval.call_id !== call_id);
  const settled = approvals.length === view.approvals.length ? view : { ...view, approvals };
  const owner = turnOfCall(view, call_id);
  if (owner === undefined) return settled;
  return changeTurn(settled, owner.turn_id, (turn) => {
    const round = findRound(turn, call_id);
    if (round === undefined) return turn;
    const done = { ...round, status: outcome, settled_at: ts, ...(outcome === "ok" ? { error: null } : {}) };
    return updateRound(turn, call_id, { ...done, outcome: settledOutcome(done) });
  });
}

/** The turn of a call. Call ids may repeat from turn to turn; an event means the latest call with its id. */
function turnOfCall(view: ConversationView, callId: string): TurnView | undefined {
  return view.turns.findLast((turn) => findRound(turn, callId) !== undefined);
}

export function viewPending({ key, mode, message, attachments, ts }: EventBody<"input.received">): PendingView {
  const files = attachments.map(({ name, mime, size_bytes }) => ({ name, mime, size_bytes }));
  return { key, mode, message, attachments: files, ts };
}

function viewCompaction(view: ConversationView, body: EventBody<"compaction.committed">): ConversationView {
  const { summary, before_tokens = null, after_tokens = null } = body;
  const covered = cover(view, summary.meta?.covered_turn_ids);
  return changeTurn(covered, summary.turn_id ?? "", (turn) => ({
    ...turn,
    compactions: [...turn.compactions, { before_tokens, after_tokens }],
  }));
}

function cover(view: ConversationView, covered: unknown): ConversationView {
  if (!Array.isArray(covered)) return view;
  const ids = new Set<unknown>(covered);
  return {
    ...view,
    turns: view.turns.map((turn) => (ids.has(turn.turn_id) && !turn.compacted ? { ...turn, compacted: true } : turn)),
  };
}

function mergeRows(sources: readonly SourceRow[], rows: readonly SourceRow[]): readonly SourceRow[] {
  const bySid = new Map(sources.map((row) => [row.sid, row]));
  for (const row of rows) bySid.set(row.sid, publicRow(row));
  return [...bySid.values()].sort((left, right) => left.sid - right.sid);
}

/** Changes a turn. The turn is searched from the end, because it is nearly always the last. */
function changeTurn(view: ConversationView, turnId: string, change: (turn: TurnView) => TurnView): ConversationView {
  const index = view.turns.findLastIndex(({ turn_id }) => turn_id === turnId);
  const turn = view.turns[index];
  if (turn === undefined) return view;
  const changed = change(turn);
  return changed === turn ? view : { ...view, turns: view.turns.with(index, changed) };
}
