/** The tree of branches under the chart: the shown branch as a line, and the others where they begin to differ. */
import type { ModelRequest, TurnVersions } from "@cairn/api";
import type { TurnView } from "@cairn/timeline";
import { placeAt } from "./chart-geometry.ts";

/** A turn that has several versions. */
export interface Fork {
  /** Number of the turn. */
  readonly turn: number;
  /** Index of the turn's first request; null if the turn made none, or its requests are not loaded. */
  readonly index: number | null;
  readonly conversations: readonly string[];
  /** Index of the shown version. */
  readonly current: number;
}

export interface TreePaths {
  readonly trunk: string;
  readonly branches: string;
  /** SVG path of the marks at the ends of the branches. */
  readonly ends: string;
}

export const TREE_HEIGHT = 26;
const TRUNK_Y = 5;
/** Maximum number of branches that are drawn at one place. The other branches share a line. */
const MAX_DRAWN = 4;
const REACH = 6;
const DOT = 1.5;

export function forksOf(
  requests: readonly ModelRequest[],
  versions: readonly TurnVersions[],
  turns: readonly Pick<TurnView, "n" | "turn_id">[],
): readonly Fork[] {
  return versions.map(({ turn, conversations, current }) => {
    const turnId = turns.find(({ n }) => n === turn)?.turn_id;
    const index = turnId === undefined ? -1 : requests.findIndex(({ turn_id }) => turn_id === turnId);
    return { turn, index: index === -1 ? null : index, conversations, current };
  });
}

/** The branches to draw, without deleted ones except the shown one. Empty if there is no other branch. */
export function withoutRemoved(fork: Fork, removed: ReadonlySet<string>): readonly Fork[] {
  const shown = fork.conversations[fork.current];
  const conversations = fork.conversations.filter((id) => id === shown || !removed.has(id));
  if (shown === undefined || conversations.length < 2) return [];
  return [{ ...fork, conversations, current: conversations.indexOf(shown) }];
}

export function treePaths(forks: readonly Fork[], count: number, width: number): TreePaths {
  const end = placeAt(Math.max(0, count - 1), count, width);
  let branches = "";
  let ends = "";
  for (const { index, conversations } of forks) {
    if (index === null) continue;
    // A branch leaves the line after the last request that it shares with the shown branch.
    const from = placeAt(Math.max(0, index - 1), count, width);
    for (let nth = 1; nth <= Math.min(MAX_DRAWN, conversations.length - 1); nth++) {
      const y = TRUNK_Y + nth * 4.5;
      const x = Math.min(from + REACH * (MAX_DRAWN + 1 - nth), width - DOT);
      branches += `M${from} ${TRUNK_Y}V${y}H${x}`;
      ends += `M${x - DOT} ${y}a${DOT} ${DOT} 0 1 0 ${2 * DOT} 0a${DOT} ${DOT} 0 1 0 ${-2 * DOT} 0z`;
    }
  }
  return { trunk: `M${placeAt(0, count, width)} ${TRUNK_Y}H${end}`, branches, ends };
}
