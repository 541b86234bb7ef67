/**
 * `conv.timeline.v1`: the timeline as one JSON payload, composed from the state on demand, and a state made from such
 * a payload. The payload holds the latest summary and what follows it; the sources pool is a payload of its own.
 */
import { CairnError } from "../base/error.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import { type Block, parseBlock } from "../block/block.ts";
import { splitOverlay } from "../block/overlay.ts";
import { withoutReasoning } from "../block/reasoning.ts";
import { sourcesKnownIn } from "../citation/known-sources.ts";
import { createPool } from "../sources/pool.ts";
import type { SourceRow } from "../sources/row.ts";
import { TimelineState } from "./state.ts";

export interface TimelinePayload {
  readonly version: 1;
  readonly ts: string | null;
  readonly blocks: readonly Block[];
  readonly turn_ids: readonly string[];
  readonly conversation_title: string | null;
  readonly conversation_started_at: string | null;
  readonly last_activity_at: string | null;
  readonly cache_last_touch_at: number | null;
  readonly cache_last_ttl_seconds: number | null;
}

export interface WorkspaceTimeline extends TimelinePayload {
  readonly sources_pool: readonly SourceRow[];
}

/** `ts`: time when the payload was made (default: the last activity). */
export function composePayload(state: TimelineState, ts: string | null = null): TimelinePayload {
  const { window } = state;
  const blocks: Block[] = [];
  for (let i = sliceStart(state); i < window.length; i++) {
    const entry = window[i];
    if (entry !== undefined) blocks.push(withoutReasoning(entry.payload));
  }
  return {
    version: 1,
    ts: ts ?? state.meta.last_activity_at,
    blocks,
    turn_ids: state.turnIds,
    conversation_title: state.meta.conversation_title,
    conversation_started_at: state.meta.conversation_started_at,
    last_activity_at: state.meta.last_activity_at,
    cache_last_touch_at: state.meta.cache_last_touch_at,
    cache_last_ttl_seconds: state.meta.cache_last_ttl_seconds,
  };
}

/** The workspace copy that sandboxed code finds as `timeline.json`: the payload and the full pool. */
export function composeWorkspaceTimeline(state: TimelineState, ts: string | null = null): WorkspaceTimeline {
  return { ...composePayload(state, ts), sources_pool: state.pool.rows() };
}

/** The compact summary that a store keeps with the payload. */
export function payloadSummary(state: TimelineState): string {
  return JSON.stringify({
    title: state.meta.conversation_title,
    started_at: state.meta.conversation_started_at,
    last_activity_at: state.meta.last_activity_at,
    blocks_count: state.window.length - sliceStart(state),
    sources_pool_count: state.pool.size,
    turn_ids: state.turnIds,
  });
}

/** Index of the first visible entry: the latest summary, or the beginning. */
function sliceStart(state: TimelineState): number {
  for (let i = state.window.length - 1; i > 0; i--) if (state.window[i]?.kind.role === "summary") return i;
  return 0;
}

/** The state of a payload. `tokens`: one count per block, if a store keeps them; else they are counted when needed. */
export function stateFromPayload(
  payload: unknown,
  sources: readonly JsonObject[] = [],
  tokens: readonly number[] = [],
): TimelineState {
  if (!isJsonObject(payload)) throw badPayload("it is not an object");
  if (payload.version !== undefined && payload.version !== 1)
    throw badPayload(`version ${String(payload.version)} is not known; this program reads version 1`);
  const { blocks = [], turn_ids = [] } = payload;
  if (!Array.isArray(blocks)) throw badPayload("`blocks` must be a list");
  if (!Array.isArray(turn_ids)) throw badPayload("`turn_ids` must be a list");
  const state = new TimelineState();
  for (const turn of turn_ids) {
    if (typeof turn !== "string") throw badPayload("`turn_ids` must hold strings");
    state.noteTurn(turn);
  }
  for (let index = 0; index < blocks.length; index++) {
    const asRead = parseBlock(blocks[index], "blocks", index);
    const { block, overlay, clip } = splitOverlay(asRead);
    const entry = state.append(block, null, tokens[index] ?? null);
    // A payload does not record when its sources were added, so the number is unknown unless the block has it.
    entry.sourcesKnown = sourcesKnownIn(block.meta) ?? Number.POSITIVE_INFINITY;
    if (overlay !== null) entry.cover(overlay, asRead);
    else if (clip !== null) entry.clipTo(clip, asRead);
  }
  state.meta = {
    conversation_title: stringOrNull(payload.conversation_title),
    conversation_started_at: stringOrNull(payload.conversation_started_at),
    last_activity_at: stringOrNull(payload.last_activity_at),
    cache_last_touch_at: numberOrNull(payload.cache_last_touch_at),
    cache_last_ttl_seconds: numberOrNull(payload.cache_last_ttl_seconds),
  };
  state.readAt = stringOrNull(payload.ts);
  state.pool = createPool(sources);
  return state;
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function badPayload(problem: string): CairnError {
  return new CairnError("bad_payload", `The timeline payload cannot be read: ${problem}.`);
}
