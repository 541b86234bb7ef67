/**
 * Hiding: the agent removes content from its view and leaves a short note in its place.
 *
 * Only the end of the timeline may be hidden, because everything after a hidden block must be written to the cache
 * again. The target is the blocks at the given path. Two limits are checked in this order. The target must come after
 * the pre-tail checkpoint of the `seed` strategy, whatever strategy renders (`hide_before_cache`). At most
 * `editable_tail_size_in_tokens` rendered tokens may follow the target, up to the last stable block (`hide_too_old`);
 * the target itself does not count, however large it is. If the path has blocks before and after the checkpoint, the
 * target is the blocks after it, and tokens count from the first of these. If one path is rejected, nothing is hidden.
 * Blocks that are hidden already stay as they are.
 */
import type { CountTokens } from "../base/ports.ts";
import { type CheckpointOptions, checkpointSettings, emittedThroughPreTail } from "../cache/checkpoints.ts";
import { makeEvent } from "../event/codec.ts";
import type { EventBody, KnownEvent } from "../event/event.ts";
import type { ModelView } from "../render/model-view.ts";

export type HideRefusal = "hide_before_cache" | "hide_too_old" | "not_found";

export interface HideRequest {
  readonly paths: readonly string[];
  readonly replacement: string;
  readonly cache?: CheckpointOptions | undefined;
  readonly editableTailTokens?: number | undefined;
}

export interface HideResult {
  readonly status: "ok" | "error";
  readonly code: HideRefusal | null;
  readonly refused: string | null;
  readonly blocks_hidden: number;
  /** Tokens of the hidden blocks before they were hidden. */
  readonly tokens_hidden: number;
}

export interface HidePlan {
  readonly result: HideResult;
  /** The event that hides the blocks; null when nothing is hidden. */
  readonly event: KnownEvent | null;
}

const EDITABLE_TAIL_TOKENS = 2_000;

/** Decides what a hide does. `view` must be up to date. */
export function planHide(view: ModelView, request: HideRequest, countTokens: CountTokens): HidePlan {
  const bound = emittedThroughPreTail(view, checkpointSettings(request.cache));
  const limit = request.editableTailTokens ?? EDITABLE_TAIL_TOKENS;
  const groups: EventBody<"blocks.hidden">["groups"] = [];
  const taken = new Set<number>();
  let tokens = 0;
  for (const path of request.paths) {
    const found = view.indicesAt(path);
    if (found.length === 0) return refusal("not_found", path);
    const editable = found.filter((index) => view.emittedThrough(index - 1) >= bound);
    const first = editable[0];
    if (first === undefined) return refusal("hide_before_cache", path);
    const own = editable.reduce((sum, index) => sum + tokensAt(view, index, countTokens), 0);
    if (view.shownTokens(countTokens) - view.tokensThrough(first - 1, countTokens) - own > limit)
      return refusal("hide_too_old", path);
    const fresh = editable.filter((index) => view.entryAt(index)?.overlay === null && !taken.has(index));
    const positions = fresh.flatMap((index) => view.entryAt(index)?.position ?? []);
    for (const index of fresh) {
      taken.add(index);
      tokens += tokensAt(view, index, countTokens);
    }
    const anchor = positions[0];
    if (anchor !== undefined) groups.push({ positions, anchor, replacement: request.replacement });
  }
  const result = { status: "ok" as const, code: null, refused: null, blocks_hidden: taken.size, tokens_hidden: tokens };
  return { result, event: groups.length === 0 ? null : makeEvent("blocks.hidden", { groups }) };
}

function tokensAt(view: ModelView, index: number, countTokens: CountTokens): number {
  return view.tokensThrough(index, countTokens) - view.tokensThrough(index - 1, countTokens);
}

function refusal(code: HideRefusal, path: string): HidePlan {
  return { result: { status: "error", code, refused: path, blocks_hidden: 0, tokens_hidden: 0 }, event: null };
}
