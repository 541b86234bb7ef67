/**
 * Chooses where a compaction cuts.
 *
 * A cut is allowed before a turn's header, a user's message, an answer, or a call together with its notes and code;
 * never inside a round, so that no call is separated from its results, also when calls of one decision interleave. The
 * earliest legal cut is chosen that keeps at most the allowed number of recent tokens. The cut moves back to keep the
 * last six turns whole if they fit. When every cut keeps more than that, the last legal cut is taken, because it keeps
 * the least.
 */
import type { CountTokens } from "../base/ports.ts";
import type { ModelView } from "../render/model-view.ts";
import type { Call } from "../state/call.ts";
import type { Entry } from "../state/entry.ts";
import { type ContextBudget, keepTokens } from "./budget.ts";

const KEPT_TURNS = 6;

/** Index in the slice of the first block that is kept; null when there is no legal cut. */
export function chooseCut(
  view: ModelView,
  budget: ContextBudget,
  force: boolean,
  countTokens: CountTokens,
): number | null {
  const slice = view.slice();
  const cuts = legalCuts(slice);
  const last = cuts.at(-1);
  if (last === undefined) return null;
  const visible = view.shownTokens(countTokens);
  const kept = (cut: number) => visible - view.tokensThrough(cut - 1, countTokens);
  const keep = keepTokens(budget);
  let cut = cuts.find((candidate) => kept(candidate) <= keep.recent) ?? last;
  const turnsStart = startOfLastTurns(slice);
  if (turnsStart !== null) {
    // No cut is allowed before some blocks that may begin a turn.
    const around = [
      cuts.findLast((candidate) => candidate <= turnsStart),
      cuts.find((candidate) => candidate >= turnsStart),
    ];
    const whole = around.find(
      (candidate) => candidate !== undefined && candidate < cut && kept(candidate) <= keep.turns,
    );
    if (whole !== undefined) cut = whole;
  }
  if (!force || kept(cut) <= visible / 2) return cut;
  return cuts.find((candidate) => kept(candidate) <= visible / 2) ?? last;
}

/** Every index where the slice may be cut, ascending. A cut that covers only a summary and a header saves nothing. */
export function legalCuts(slice: readonly Entry[]): number[] {
  const { starts, ends } = rounds(slice);
  const first = slice.findIndex(({ kind }) => !kind.isFrame) + 1;
  if (first === 0) return [];
  const cuts: number[] = [];
  /** Index at which the longest open round ends. */
  let open = -1;
  for (const [index, entry] of slice.entries()) {
    const { call } = entry;
    const beginsRound = call !== null && starts.get(call) === index;
    if (index >= first && open < index && (entry.kind.allowsCut || (beginsRound && ends.has(call)))) cuts.push(index);
    if (beginsRound) open = Math.max(open, ends.get(call) ?? index);
  }
  return cuts;
}

/** First and last index of the blocks of each call; ends only for calls whose call block is in the slice. */
function rounds(slice: readonly Entry[]): { starts: Map<Call, number>; ends: Map<Call, number> } {
  const starts = new Map<Call, number>();
  const last = new Map<Call, number>();
  const called = new Set<Call>();
  for (const [index, { call, kind }] of slice.entries()) {
    if (call === null) continue;
    if (!starts.has(call)) starts.set(call, index);
    last.set(call, index);
    if (kind.role === "call") called.add(call);
  }
  return { starts, ends: new Map([...last].filter(([call]) => called.has(call))) };
}

/** Index of the first block of the sixth turn from the end; null when there are fewer. */
function startOfLastTurns(slice: readonly Entry[]): number | null {
  const starts = new Map<string, number>();
  for (const [index, { block, kind }] of slice.entries())
    if (block.turn_id && kind.role !== "summary" && !starts.has(block.turn_id)) starts.set(block.turn_id, index);
  return starts.size < KEPT_TURNS ? null : ([...starts.values()].at(-KEPT_TURNS) ?? null);
}
