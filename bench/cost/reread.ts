/**
 * Chooses how much of the pruned content the agent reads back at the beginning of the next turn. The agent reads back a
 * copy, which is pruned again when its turn ends. With the option `once`, a content counts as removed only the first
 * time: the given share of all contents is read again, each once. With `again`, each pruned copy may be read back
 * again, so some contents are read back turn after turn. This is the worst case for pruning, because these contents
 * should have been kept.
 */
import type { TimelineState } from "@cairn/timeline";

export interface Reread {
  /** The share of the removed tokens that is read again, from 0 to 1. */
  readonly share: number;
  readonly how: "once" | "again";
}

export const REREADS: readonly Reread[] = [
  { share: 0, how: "once" },
  { share: 0.6, how: "once" },
  { share: 0.6, how: "again" },
];

/** Maximum number of paths that `react.read` takes at once. */
const MAX_PATHS = 50;

export class Rereads {
  readonly #reread: Reread;
  readonly #seen = new Set<number>();
  /** Paths that were already decided on: read back, or left out. */
  readonly #passed = new Set<string>();

  constructor(reread: Reread) {
    this.#reread = reread;
  }

  /** The paths to read back now, of all that was pruned since the last call. */
  take({ window }: TimelineState): string[] {
    const { share, how } = this.#reread;
    const removed = new Map<string, number>();
    for (const { position, overlay, path, block, tokens } of window) {
      if (overlay === null || overlay.by === "agent" || this.#seen.has(position)) continue;
      this.#seen.add(position);
      if (path === null || block.text === undefined || (how === "once" && this.#passed.has(path))) continue;
      removed.set(path, (removed.get(path) ?? 0) + (tokens ?? 0));
    }
    for (const path of removed.keys()) this.#passed.add(path);
    const wanted = share * [...removed.values()].reduce((sum, tokens) => sum + tokens, 0);
    const paths: string[] = [];
    let tokens = 0;
    for (const [path, own] of removed) {
      // A path is read as a whole. The path is left out if reading it would miss the share by more than leaving it out.
      if (tokens + own / 2 > wanted || paths.length === MAX_PATHS) continue;
      tokens += own;
      paths.push(path);
    }
    return paths;
  }
}
