/**
 * Pruning at the end of a turn: the large results of the turn are replaced by a description and a path, when the cost
 * rule says that this saves cost. Prompts, answers, notes, plans, files and cited passages stay. Of a search or of
 * several pages, only the cited rows or pages stay.
 *
 * After a removal, everything after the earliest removed block must be written to the cache again, so removing further
 * blocks after it costs nothing more. Candidates are therefore tried as a suffix: from each candidate to the end, the
 * suffix with the highest gain is taken, if a suffix gains anything. So there is at most one reset per turn. When the
 * cache is cold, everything must be written again anyway, so the candidates of every closed turn are removed.
 */
import type { CountTokens } from "../base/ports.ts";
import { sourceIds } from "../block/digest.ts";
import { extractCitations } from "../citation/extract-citations.ts";
import type { EventBody } from "../event/event.ts";
import { sidsOfPath } from "../path/pool-path.ts";
import { shownTokens } from "../render/estimate-messages.ts";
import type { Entry } from "../state/entry.ts";
import { type RemovalPrices, removalGain } from "./cost-rule.ts";
import { namesApart, replacementFor } from "./replacement.ts";
import { type SessionSettings, sessionSettings } from "./settings.ts";
import { isShown } from "./ttl.ts";

type Group = EventBody<"blocks.pruned">["groups"][number];

/** A shorter replacement than that of TTL pruning: the turn's answer stays, and the path leads to the full result. */
const SHORT: SessionSettings = sessionSettings({
  cache_truncation_max_text_chars: 400,
  cache_truncation_max_field_chars: 120,
  cache_truncation_max_list_items: 6,
  cache_truncation_max_dict_keys: 12,
});

/** Characters of a row's text that help to decide whether to read it again. Title and address identify the row. */
const ROW_TEXT_CHARS = 60;

/** A result smaller than this is not replaced, because its replacement would be about as long. */
const LARGE_RESULT_TOKENS = 250;

export interface TurnPruneRequest {
  /** The closed turns that may lose results. */
  readonly turns: ReadonlySet<string>;
  readonly prices: RemovalPrices;
  /** Whether the provider's cache has expired. */
  readonly cold: boolean;
}

/** The blocks of a rendered slice to cover; empty when nothing saves cost. */
export function pruneClosedTurns(
  slice: readonly Entry[],
  request: TurnPruneRequest,
  countTokens: CountTokens,
): Group[] {
  const cited = citedSources(slice, request.turns);
  const candidates: Candidate[] = [];
  let behind = 0;
  for (let i = slice.length - 1; i >= 0; i--) {
    const entry = slice[i];
    if (entry === undefined) continue;
    const tokens = shownTokens(entry, countTokens);
    const replacement = candidateReplacement(entry, tokens, request.turns, cited);
    if (replacement === null) {
      behind += tokens;
      continue;
    }
    const left = countTokens(replacement);
    if (left >= tokens) {
      behind += tokens;
      continue;
    }
    // The tokens of the replacement also count for every earlier candidate.
    behind += left;
    candidates.push({ entry, replacement, removed: tokens - left, behind });
  }
  return bestSuffix(candidates, request).map(({ entry, replacement }) => ({
    positions: [entry.position],
    anchor: entry.position,
    replacement,
  }));
}

interface Candidate {
  readonly entry: Entry;
  readonly replacement: string;
  readonly removed: number;
  /** Tokens from this block to the end, counted as if this and all later candidates were replaced. */
  readonly behind: number;
}

/** `candidates` are ordered from the last to the first. */
function bestSuffix(candidates: readonly Candidate[], { prices, cold }: TurnPruneRequest): readonly Candidate[] {
  let best = 0;
  let bestGain = 0;
  let removed = 0;
  for (const [index, candidate] of candidates.entries()) {
    removed += candidate.removed;
    const gain = removalGain(removed, cold ? 0 : candidate.behind, prices);
    if (gain > bestGain) {
      bestGain = gain;
      best = index + 1;
    }
  }
  return candidates.slice(0, best).reverse();
}

function candidateReplacement(
  entry: Entry,
  tokens: number,
  turns: ReadonlySet<string>,
  cited: ReadonlySet<number>,
): string | null {
  const { block, digest } = entry;
  if (tokens < LARGE_RESULT_TOKENS || !isShown(entry) || entry.kind.role !== "result" || digest !== null) return null;
  if (block.turn_id === undefined || !turns.has(block.turn_id) || block.path === undefined) return null;
  // Files stay, because the agent may edit them further and patches are made against the text of the file.
  if (block.path.startsWith("fi:")) return null;
  const kept = citedIn(entry, cited);
  if (kept.size > 0 && !namesApart(entry, kept)) return null;
  // No message explains this kind of pruning, so each replacement says how to read the content again.
  return replacementFor(entry, SHORT, { rowTextChars: ROW_TEXT_CHARS, kept, saysHow: true });
}

/** The cited sources that a result contains. */
function citedIn({ block }: Entry, cited: ReadonlySet<number>): ReadonlySet<number> {
  if (cited.size === 0) return cited;
  const named = [...(block.text ?? "").matchAll(/"sid"\s*:\s*(\d{1,9})\b/g)].map(([, sid]) => Number(sid));
  return new Set([...sidsOfPath(block.path), ...named].filter((sid) => cited.has(sid)));
}

/** The sources the answers of these turns cite. */
function citedSources(slice: readonly Entry[], turns: ReadonlySet<string>): Set<number> {
  const cited = new Set<number>();
  for (const { block, kind } of slice) {
    if (kind.role !== "answer" || !turns.has(block.turn_id ?? "")) continue;
    for (const sid of extractCitations(block.text ?? "", "markdown")) cited.add(sid);
    for (const sid of sourceIds(block.meta?.sources_used)) cited.add(sid);
  }
  return cited;
}
