/**
 * Paths of a turn that something stands at already, in the window or behind a compaction: what arrives late must not
 * take the path of what came before it.
 */
import type { TimelineState } from "@cairn/timeline";

/** Paths of the turn that begin so, each once. */
export function takenPaths(state: TimelineState, turnId: string, prefix: string): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const { path } of state.turnEntries(turnId)) if (path?.startsWith(prefix)) taken.add(path);
  for (const path of state.droppedVersions.keys()) if (path.startsWith(prefix)) taken.add(path);
  return taken;
}

/** The number for the next of several paths `<prefix>.<n>`, where the first may stand at the prefix alone. */
export function nextNumber(state: TimelineState, turnId: string, prefix: string): number {
  let last = 0;
  for (const path of takenPaths(state, turnId, prefix)) {
    const number = path === prefix ? 1 : Number(/^\.(\d+)$/.exec(path.slice(prefix.length))?.[1] ?? 0);
    last = Math.max(last, number);
  }
  return last + 1;
}
