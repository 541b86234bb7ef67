/**
 * Merges an earlier summary into a new digest.
 *
 * The digest a summary keeps is the union of everything covered, up to a limit that only very long conversations reach.
 * A summary *shows* only a page of it. Instructions, notes, open plans and cited sources are on every page. The content
 * of covered turns accumulates from compaction to compaction until it fills a page, as many tokens as a summary may
 * have; then the earlier summary is listed as a page, by its path, and a new page begins. So a long conversation has
 * few pages, and any covered block is at most two reads away: its page, and the block.
 */
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "../block/block.ts";
import { foldDirectives } from "../directive/fold-directives.ts";
import { isPlanComplete, type PlanSnapshot } from "../plan/plan.ts";
import type { CompactionDigest, OwnDigest, Page, TurnItem } from "./digest/digest.ts";
import { renderDigest } from "./digest/summary-text.ts";
import { pathOf } from "./digest-entries.ts";

/** Maximum number of items of one kind in a digest; older items are found through pages. */
const MAX_ITEMS = 5_000;

/** The page for an earlier summary; null when it has no path. */
export function pageOf(summary: Block, version: number, turns: readonly TurnItem[]): Page | null {
  const path = pathOf(summary);
  if (path === "") return null;
  const [first, last] = [turns[0], turns.at(-1)];
  return {
    path: `${path}@v${Math.max(1, version)}`,
    first_turn: first?.turn_id ?? "",
    last_turn: last?.turn_id ?? "",
    turns: turns.length,
  };
}

export function uniteDigests(earlier: CompactionDigest, own: OwnDigest, pages: readonly Page[]): CompactionDigest {
  return {
    pages,
    ...foldDirectives(earlier, own.directives),
    notes: unique([...earlier.notes, ...own.notes], (item) => item.text),
    open_plans: mergePlans(earlier.open_plans, own.open_plans),
    cited_sids: [...new Set([...earlier.cited_sids, ...own.cited_sids])].sort((a, b) => a - b),
    turns: mergeTurns(earlier.turns, own.turns).slice(-MAX_ITEMS),
    artifacts: unique([...earlier.artifacts, ...own.artifacts], (item) => item.path),
    files: unique([...earlier.files, ...own.files], (path) => path),
    exec_outputs: unique([...earlier.exec_outputs, ...own.exec_outputs], (path) => path),
    searches: unique([...earlier.searches, ...own.searches], (item) => item.path),
    results: unique([...earlier.results, ...own.results], (item) => item.path),
    hidden: unique([...earlier.hidden, ...own.hidden], (item) => item.path),
  };
}

/** The page that the new summary shows: the earlier page with new content, or a new page when that would not fit. */
export function turnPage(
  earlierPage: CompactionDigest,
  earlierAsPage: Page | null,
  own: OwnDigest,
  union: CompactionDigest,
  pageTokens: number,
  countTokens: CountTokens,
): CompactionDigest {
  const { directives, closed_orders, notes, open_plans, cited_sids } = union;
  const standing = { directives, closed_orders, notes, open_plans, cited_sids };
  const grown = { ...uniteDigests(earlierPage, own, earlierPage.pages), ...standing };
  // Directives have their own share, so a large number of them does not fill a page.
  const paths = renderDigest({ ...grown, directives: [] });
  if (earlierAsPage === null || countTokens(paths) <= pageTokens) return grown;
  return { ...own, ...standing, pages: [...earlierPage.pages, earlierAsPage] };
}

/** Removes items with equal keys, except the last of each. */
function unique<T>(items: readonly T[], key: (item: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) {
    byKey.delete(key(item));
    byKey.set(key(item), item);
  }
  return [...byKey.values()].slice(-MAX_ITEMS);
}

/** Merges two lists of turns. A turn that an earlier cut has split is in both lists. */
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
