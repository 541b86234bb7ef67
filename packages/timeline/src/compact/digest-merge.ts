/**
 * Folding an earlier summary into a new digest.
 *
 * Instructions, notes, open plans and cited sources are unions: they have to stay in view. What the covered turns hold
 * accumulates from compaction to compaction until it fills a page, as many tokens as a summary may have. Then the
 * earlier summary is listed as a page, by its path, and the new digest begins with its own range. A long conversation
 * so has few pages, and any covered block is at most two reads away: its page, and the block.
 */
import type { Block } from "../block/block.ts";
import { isPlanComplete, type PlanSnapshot } from "../plan/plan.ts";
import type { CountTokens } from "../ports.ts";
import type { CompactionDigest, Page, TurnItem } from "./digest.ts";
import { pathOf } from "./digest-entries.ts";
import { renderDigest } from "./summary-text.ts";

/** Instructions and notes may each take this part of a page; of more, the newest stay in view. */
const STANDING_SHARE = 0.25;

/** The page an earlier summary becomes; null when it has no path to be read by. */
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

export function mergeDigests(
  earlier: CompactionDigest,
  page: Page | null,
  own: Omit<CompactionDigest, "pages">,
  pageTokens: number,
  countTokens: CountTokens,
): CompactionDigest {
  const standing = {
    directives: newest([...earlier.directives, ...own.directives], ({ text }) => text, pageTokens, countTokens),
    notes: newest([...earlier.notes, ...own.notes], ({ text }) => text, pageTokens, countTokens),
    open_plans: mergePlans(earlier.open_plans, own.open_plans),
    cited_sids: [...new Set([...earlier.cited_sids, ...own.cited_sids])].sort((a, b) => a - b),
  };
  const joined: CompactionDigest = {
    ...standing,
    pages: earlier.pages,
    turns: mergeTurns(earlier.turns, own.turns),
    artifacts: unique([...earlier.artifacts, ...own.artifacts], (item) => item.path),
    files: unique([...earlier.files, ...own.files], (path) => path),
    exec_outputs: unique([...earlier.exec_outputs, ...own.exec_outputs], (path) => path),
    searches: unique([...earlier.searches, ...own.searches], (item) => item.path),
    results: unique([...earlier.results, ...own.results], (item) => item.path),
    hidden: unique([...earlier.hidden, ...own.hidden], (item) => item.path),
  };
  if (page === null || countTokens(renderDigest(joined)) <= pageTokens) return joined;
  return { ...own, ...standing, pages: [...earlier.pages, page] };
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

function newest<T>(items: readonly T[], text: (item: T) => string, pageTokens: number, countTokens: CountTokens): T[] {
  const all = unique(items, text);
  let room = pageTokens * STANDING_SHARE;
  let first = all.length;
  while (first > 0) {
    const item = all[first - 1];
    if (item === undefined) break;
    room -= countTokens(text(item));
    if (room < 0) break;
    first--;
  }
  return all.slice(first);
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
