/** The paths that a turn has used, even in content that a compaction removed. New content gets other paths. */
import type { TimelineState } from "@cairn/timeline";

/** The used paths of the turn with this prefix, each once. */
export function takenPaths(state: TimelineState, turnId: string, prefix: string): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const { path } of state.turnEntries(turnId)) if (path?.startsWith(prefix)) taken.add(path);
  for (const path of state.droppedVersions.keys()) if (path.startsWith(prefix)) taken.add(path);
  return taken;
}

/** The number for the next path `<prefix>.<n>`. The first path may be the prefix without a number. */
export function nextNumber(state: TimelineState, turnId: string, prefix: string): number {
  let last = 0;
  for (const path of takenPaths(state, turnId, prefix)) {
    const number = path === prefix ? 1 : Number(/^\.(\d+)$/.exec(path.slice(prefix.length))?.[1] ?? 0);
    last = Math.max(last, number);
  }
  return last + 1;
}
