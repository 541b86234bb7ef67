/** The fold: applies one event to the state before it. The same events in the same order give the same state. */
import { CairnError } from "../base/error.ts";
import { plainClip } from "../block/clip.ts";
import type { HiddenBy } from "../block/overlay.ts";
import { type EventBody, INPUT_KINDS, isKnown, type TimelineEvent } from "../event/event.ts";
import { replacesTitle } from "../event/given-title.ts";
import { turnChoiceIn } from "../event/turn-choice.ts";
import { type Attempts, type PendingInput, TimelineState } from "./state.ts";

/** Applies `event` to `state` in place and returns the state. Unknown kinds change nothing. */
export function applyEvent(state: TimelineState, event: TimelineEvent): TimelineState {
  if (!isKnown(event)) return state;
  if (event.kind !== "turn.attempted" && !INPUT_KINDS.has(event.kind)) state.attempts = null;
  switch (event.kind) {
    case "input.received":
      if (!state.pendingInputs.has(event.body.key)) state.pendingInputs.set(event.body.key, event.body);
      break;
    case "input.withdrawn":
      for (const key of event.body.messages) state.pendingInputs.delete(key);
      break;
    case "input.promoted":
      state.pendingInputs.delete(event.body.key);
      state.pendingFeedback.delete(event.body.key);
      state.pendingOrders.delete(event.body.key);
      break;
    case "cancel.requested":
      requestCancel(state, event.body);
      break;
    case "approval.requested":
      // A new request for approval replaces the old one, because an earlier approval was for other content.
      state.approvalsRequested.set(event.body.call_id, event.body);
      state.approvalsGiven.delete(event.body.call_id);
      break;
    case "approval.given":
      giveApproval(state, event.body);
      break;
    case "conversation.imported":
      state.approvalsRequested.clear();
      state.approvalsGiven.clear();
      state.grants.clear();
      state.cancelRequested = null;
      break;
    case "order.changed":
      state.pendingOrders.set(event.body.key, event.body);
      break;
    case "title.given":
      if (replacesTitle(event.body, state.meta.conversation_title))
        state.meta = { ...state.meta, conversation_title: event.body.title };
      break;
    case "feedback.received":
      state.pendingFeedback.set(event.body.key, event.body);
      break;
    case "turn.attempted":
      state.attempts = noteAttempt(state.attempts, event.body);
      break;
    case "turn.suspended":
    case "turn.released":
      break;
    case "turn.opened":
      state.noteTurn(event.body.turn_id);
      state.past.noteTurn();
      state.openTurn = event.body.turn_id;
      state.cancelRequested ??= inputOf(state, event.body.turn_id)?.cancelled ?? null;
      state.openTurnChoice = turnChoiceIn(event.body);
      break;
    case "turn.closed":
      state.openTurn = null;
      state.openTurnChoice = {};
      state.cancelRequested = null;
      break;
    case "block.appended": {
      expectPosition(state, event.body.position);
      const entry = state.append(event.body.block, event.body.version, event.body.tokens);
      // A block whose path names another call's content is a copy that was read back.
      const originals = entry.version === 0 && entry.path !== null ? state.atPath(entry.path) : [];
      state.past.noteBlock(entry, originals);
      break;
    }
    case "blocks.hidden":
      for (const group of event.body.groups) cover(state, "agent", group);
      break;
    case "blocks.pruned":
      for (const group of event.body.groups) {
        cover(state, event.body.by, group);
        for (const position of group.positions) notePruned(state, position);
      }
      break;
    case "blocks.clipped":
      for (const { position, ...clip } of event.body.clips) {
        const entry = state.at(position);
        if (entry === null) continue;
        // An entry without a view was never rendered, so clipping it changes nothing that was shown.
        if (entry.view !== null) state.revision++;
        entry.clipTo(plainClip(clip));
      }
      break;
    case "compaction.committed":
      expectPosition(state, event.body.position);
      state.compact(event.body.summary, event.body.cut, event.body.version, event.body.tokens);
      break;
    case "sources.merged":
      state.pool.put(event.body.rows);
      break;
    case "meta.set": {
      const { meta } = state;
      const set = event.body;
      state.meta = {
        conversation_title: pick(set.conversation_title, meta.conversation_title),
        conversation_started_at: pick(set.conversation_started_at, meta.conversation_started_at),
        last_activity_at: pick(set.last_activity_at, meta.last_activity_at),
        cache_last_touch_at: pick(set.cache_last_touch_at, meta.cache_last_touch_at),
        cache_last_ttl_seconds: pick(set.cache_last_ttl_seconds, meta.cache_last_ttl_seconds),
      };
      break;
    }
    case "call.started":
      state.unsettled.set(event.body.call_id, event.body);
      // The person has answered the question of this call, so the call starts again.
      if (state.approvalsRequested.get(event.body.call_id)?.question !== undefined) withdrawRequest(state, event.body);
      break;
    case "call.settled":
      state.unsettled.delete(event.body.call_id);
      withdrawRequest(state, event.body);
      break;
    case "model.receipt":
      state.past.noteReceipt(event.body, state.lastReceipt);
      state.lastReceipt = event.body;
      state.sentPosition = state.nextPosition;
      state.meta = { ...state.meta, cache_last_touch_at: event.body.started_at };
      break;
    default:
      event satisfies never;
  }
  return state;
}

export function foldEvents(events: Iterable<TimelineEvent>, state = new TimelineState()): TimelineState {
  for (const event of events) applyEvent(state, event);
  return state;
}

/**
 * Requests a cancellation. A request that names a turn stops only this turn: now, or when its message opens the turn. A
 * request that finds nothing to stop does not apply to a later turn.
 */
function requestCancel(state: TimelineState, request: EventBody<"cancel.requested">): void {
  const { turn_id } = request;
  const { openTurn, pendingInputs } = state;
  if (turn_id === undefined) {
    if (openTurn !== null || pendingInputs.size > 0) state.cancelRequested = request;
  } else if (turn_id === openTurn) state.cancelRequested = request;
  else {
    const input = inputOf(state, turn_id);
    if (input !== undefined) pendingInputs.set(input.key, { ...input, cancelled: request });
  }
}

/** The waiting message that will open this turn. */
function inputOf({ pendingInputs }: TimelineState, turnId: string): PendingInput | undefined {
  return pendingInputs.values().find(({ turn_id }) => turn_id === turnId);
}

function withdrawRequest(state: TimelineState, { call_id }: { readonly call_id: string }): void {
  state.approvalsRequested.delete(call_id);
  state.approvalsGiven.delete(call_id);
}

/** The first answer to a request counts. An answer that names content other than the requested one is ignored. */
function giveApproval(state: TimelineState, given: EventBody<"approval.given">): void {
  const asked = state.approvalsRequested.get(given.call_id);
  if (asked === undefined || asked.hash !== given.hash || state.approvalsGiven.has(given.call_id)) return;
  state.approvalsGiven.set(given.call_id, given);
  if (given.approve && given.grant !== undefined) state.grants.add(given.grant);
}

/** Counts an attempt of a turn. Repeated attempts of one process count once, because the process has not crashed. */
function noteAttempt(before: Attempts | null, { turn_id, by }: EventBody<"turn.attempted">): Attempts {
  if (before?.turn_id !== turn_id) return { turn_id, by: [by] };
  return before.by.at(-1) === by ? before : { turn_id, by: [...before.by, by] };
}

function pick<T>(set: T | undefined, before: T): T {
  return set === undefined ? before : set;
}

type Group = EventBody<"blocks.hidden">["groups"][number];

/** Covers the blocks of a group. Blocks that a compaction has dropped need no overlay. */
function cover(state: TimelineState, by: HiddenBy, group: Group): void {
  for (const position of group.positions) {
    const replacement = position === group.anchor ? group.replacement : null;
    state.at(position)?.cover({ by, replacement });
  }
  state.revision++;
}

function notePruned(state: TimelineState, position: number): void {
  const entry = state.at(position);
  if (entry !== null) state.past.notePruned(entry);
}

function expectPosition(state: TimelineState, position: number): void {
  if (position !== state.nextPosition)
    throw new CairnError(
      "corrupt",
      `A block at position ${position} follows ${state.nextPosition} blocks: events are missing, repeated or out of order. Run cairn doctor to check the store.`,
      { position, expected: state.nextPosition },
    );
}
