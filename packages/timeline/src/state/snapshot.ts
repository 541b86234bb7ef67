/** A snapshot: the whole state as JSON with token counts, so that loading counts and folds no earlier blocks. */
import { CairnError } from "../base/error.ts";
import { type Block, parseBlock } from "../block/block.ts";
import type { Clip } from "../block/clip.ts";
import type { Overlay } from "../block/overlay.ts";
import { sourcesKnownIn } from "../citation/known-sources.ts";
import type { EventBody } from "../event/event.ts";
import type { TurnChoice } from "../event/turn-choice.ts";
import { createPool } from "../sources/pool.ts";
import type { SourceRow } from "../sources/row.ts";
import { Past, type PastSnapshot } from "./past.ts";
import { type Attempts, type ConversationMeta, TimelineState } from "./state.ts";

/** Increased when the format changes; a snapshot of another version is rebuilt from the journal. */
export const SNAPSHOT_VERSION = 1;

export interface StateSnapshot {
  readonly snapshot_version: number;
  readonly next_position: number;
  readonly window: readonly WindowItem[];
  readonly turn_ids: readonly string[];
  readonly dropped_versions: readonly (readonly [string, number])[];
  readonly meta: ConversationMeta;
  readonly sources_pool: readonly SourceRow[];
  readonly open_turn: string | null;
  /** Absent if the message asked for no agent or model, and in snapshots of earlier versions. */
  readonly open_turn_choice?: TurnChoice;
  /** Absent if there are none, and in snapshots of earlier versions. */
  readonly attempts?: Attempts;
  readonly unsettled: readonly EventBody<"call.started">[];
  readonly pending_inputs: readonly EventBody<"input.received">[];
  readonly pending_feedback: readonly EventBody<"feedback.received">[];
  /** Absent in snapshots of earlier versions. */
  readonly pending_orders?: readonly EventBody<"order.changed">[];
  readonly cancel_requested: EventBody<"cancel.requested"> | null;
  readonly approvals_requested: readonly EventBody<"approval.requested">[];
  readonly approvals_given: readonly EventBody<"approval.given">[];
  /** Absent in snapshots of earlier versions. */
  readonly grants?: readonly string[];
  readonly last_receipt: EventBody<"model.receipt"> | null;
  /** Absent in snapshots from before this field existed. */
  readonly past?: PastSnapshot;
  /** Absent in snapshots from before this field existed. */
  readonly sent_position?: number | null;
}

interface WindowItem {
  readonly position: number;
  readonly block: Block;
  readonly version: number;
  readonly tokens: number | null;
  /** Absent if the block contains the number, if it is unknown, and in snapshots from before this field existed. */
  readonly sources_known?: number;
  readonly overlay?: Overlay;
  readonly clip?: Clip;
}

export function snapshotState(state: TimelineState): StateSnapshot {
  return {
    snapshot_version: SNAPSHOT_VERSION,
    next_position: state.nextPosition,
    window: state.window.map(({ position, block, version, tokens, sourcesKnown, overlay, clip }) => ({
      position,
      block,
      version,
      tokens,
      ...(sourcesKnownIn(block.meta) !== null || !Number.isFinite(sourcesKnown) ? {} : { sources_known: sourcesKnown }),
      ...(overlay === null ? {} : { overlay }),
      ...(clip === null ? {} : { clip }),
    })),
    turn_ids: state.turnIds,
    dropped_versions: [...state.droppedVersions],
    meta: state.meta,
    sources_pool: [...state.pool.rows()],
    open_turn: state.openTurn,
    ...(Object.keys(state.openTurnChoice).length === 0 ? {} : { open_turn_choice: state.openTurnChoice }),
    ...(state.attempts === null ? {} : { attempts: state.attempts }),
    unsettled: [...state.unsettled.values()],
    pending_inputs: [...state.pendingInputs.values()],
    pending_feedback: [...state.pendingFeedback.values()],
    ...(state.pendingOrders.size === 0 ? {} : { pending_orders: [...state.pendingOrders.values()] }),
    cancel_requested: state.cancelRequested,
    approvals_requested: [...state.approvalsRequested.values()],
    approvals_given: [...state.approvalsGiven.values()],
    ...(state.grants.size === 0 ? {} : { grants: [...state.grants] }),
    last_receipt: state.lastReceipt,
    past: state.past.snapshot(),
    sent_position: state.sentPosition,
  };
}

export function restoreState(snapshot: StateSnapshot): TimelineState {
  if (snapshot.snapshot_version !== SNAPSHOT_VERSION)
    throw new CairnError(
      "snapshot_version",
      `The snapshot has version ${snapshot.snapshot_version}, this program reads ${SNAPSHOT_VERSION}. Fold the journal instead.`,
      { version: snapshot.snapshot_version },
    );
  const state = new TimelineState();
  for (const turn of snapshot.turn_ids) state.noteTurn(turn);
  for (const item of snapshot.window) {
    state.nextPosition = item.position;
    const block = parseBlock(item.block);
    const entry = state.append(block, item.version, item.tokens);
    entry.sourcesKnown = sourcesKnownIn(block.meta) ?? item.sources_known ?? Number.POSITIVE_INFINITY;
    if (item.overlay !== undefined) entry.cover(item.overlay);
    else if (item.clip !== undefined) entry.clipTo(item.clip);
  }
  state.nextPosition = snapshot.next_position;
  state.restoreDroppedVersions(snapshot.dropped_versions);
  state.meta = snapshot.meta;
  state.pool = createPool(snapshot.sources_pool);
  state.openTurn = snapshot.open_turn;
  state.openTurnChoice = snapshot.open_turn_choice ?? {};
  state.attempts = snapshot.attempts ?? null;
  for (const body of snapshot.unsettled) state.unsettled.set(body.call_id, body);
  for (const body of snapshot.pending_inputs) state.pendingInputs.set(body.key, body);
  for (const body of snapshot.pending_feedback) state.pendingFeedback.set(body.key, body);
  for (const body of snapshot.pending_orders ?? []) state.pendingOrders.set(body.key, body);
  state.cancelRequested = snapshot.cancel_requested;
  for (const body of snapshot.approvals_requested) state.approvalsRequested.set(body.call_id, body);
  for (const body of snapshot.approvals_given) state.approvalsGiven.set(body.call_id, body);
  for (const grant of snapshot.grants ?? []) state.grants.add(grant);
  state.lastReceipt = snapshot.last_receipt;
  state.past =
    snapshot.past === undefined ? Past.estimate(state.window, snapshot.last_receipt) : Past.restore(snapshot.past);
  state.sentPosition = snapshot.sent_position ?? null;
  return state;
}
