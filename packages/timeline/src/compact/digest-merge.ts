/**
 * Folding an earlier summary into a new digest. Unions of everything; the earlier summary becomes a page. Entries that
 * came with it are kept only as far as the new summary can show them (see `summary-text.ts`): behind their page they
 * are found anyway.
 */
import type { Block } from "../block/block.ts";
import { isPlanComplete, type PlanSnapshot } from "../plan/plan.ts";
import type { CompactionDigest, Page, TurnItem } from "./digest.ts";
import { pathOf } from "./digest-entries.ts";

/** The page an earlier summary becomes; null when it has no path to be read by. */
export function pageOf(summary: Block, version: number, covered: readonly string[]): Page | null {
  const path = pathOf(summary);
  const [first, last] = [covered[0], covered.at(-1)];
  if (path === "") return null;
  return {
    path: `${path}@v${Math.max(1, version)}`,
    first_turn: first ?? "",
    last_turn: last ?? "",
    turns: covered.length,
  };
}

export function mergeDigests(
  earlier: CompactionDigest,
  page: Page | null,
  own: Omit<CompactionDigest, "pages">,
): CompactionDigest {
  return {
    pages: page === null ? earlier.pages : [...earlier.pages, page],
    directives: unique([...earlier.directives, ...own.directives], (item) => item.text),
    open_plans: mergePlans(earlier.open_plans, own.open_plans),
    notes: unique([...earlier.notes, ...own.notes], (item) => item.text),
    cited_sids: [...new Set([...earlier.cited_sids, ...own.cited_sids])].sort((a, b) => a - b),
    turns: mergeTurns(earlier.turns, own.turns),
    artifacts: unique([...earlier.artifacts, ...own.artifacts], (item) => item.path),
    files: unique([...earlier.files, ...own.files], (path) => path),
    exec_outputs: unique([...earlier.exec_outputs, ...own.exec_outputs], (path) => path),
    searches: unique([...earlier.searches, ...own.searches], (item) => item.path),
    results: unique([...earlier.results, ...own.results], (item) => item.path),
    hidden: unique([...earlier.hidden, ...own.hidden], (item) => item.path),
  };
}

/** Of equal keys the later one stays, in its place. */
function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    byKey.delete(key(item));
    byKey.set(key(item), item);
  }
  return [...byKey.values()];
}

/** A turn that was split by an earlier cut is in both. */
function mergeTurns(earlier: readonly TurnItem[], own: readonly TurnItem[]): TurnItem[] {
  const byTurn = new Map(earlier.map((turn) => [turn.turn_id, turn]));
  for (const turn of own) {
    const known = byTurn.get(turn.turn_id);
    byTurn.set(turn.turn_id, {
      turn_id: turn.turn_id,
      prompts: [...new Set([...(known?.prompts ?? []), ...turn.prompts])],
      about: known?.about || turn.about,
      completion: turn.completion ?? known?.completion ?? null,
    });
  }
  return [...byTurn.values()];
}

function mergePlans(earlier: readonly PlanSnapshot[], own: readonly PlanSnapshot[]): PlanSnapshot[] {
  return unique([...earlier, ...own], (plan) => plan.plan_id).filter(
    (plan) => plan.closed !== true && !isPlanComplete(plan),
  );
}
