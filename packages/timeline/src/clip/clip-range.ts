/** Which blocks are clipped: those no request has shown yet, and those that no compaction can take away. */
import { legalCuts } from "../compact/cut.ts";
import type { ModelView } from "../render/model-view.ts";
import type { Entry } from "../state/entry.ts";
import type { TimelineState } from "../state/state.ts";

/** The blocks after the last request, by its receipt; without one, those from the last decision on. */
export function freshEntries(state: TimelineState, view: ModelView): readonly Entry[] {
  const { sentPosition, window } = state;
  if (sentPosition === null) {
    view.update();
    return view.slice().slice(view.lastDecisionStart);
  }
  let start = window.length;
  // A summary is the first entry of the window, although its position is higher than that of the blocks after it.
  while (start > 0 && isFresh(window[start - 1], sentPosition)) start--;
  return window.slice(start);
}

function isFresh(entry: Entry | undefined, sentPosition: number): boolean {
  return entry !== undefined && entry.position >= sentPosition && entry.kind.role !== "summary";
}

/** The blocks after the last place where a compaction may cut. `view` must be up to date. */
export function lastEntries(view: ModelView): readonly Entry[] {
  const slice = view.slice();
  return slice.slice(legalCuts(slice).at(-1) ?? 0);
}
