/**
 * TTL pruning: when the provider's cache has expired, the history must be paid for again anyway, so this is the time to
 * send less of it.
 *
 * The timeline records when it was last sent, its last touch. `arm`: there is no last touch. `touch`: the last touch is
 * less than `ttl - buffer` ago. `prune`: the last touch is longer ago. Turns older than `keep_recent_turns` are
 * replaced block by block; recent turns that are not among the intact ones lose only oversized binaries and bulky
 * search, fetch and memory-search results; the intact turns, the current one among them, lose nothing. Blocks that are
 * already covered stay as they are, so that pruning twice changes nothing and an agent's own note is never overwritten.
 */
import type { Block } from "../block/block.ts";
import type { EventBody } from "../event/event.ts";
import type { Entry } from "../state/entry.ts";
import { READ_TOOL } from "../tool/named-tools.ts";
import { binaryChars, isBinary, replacementFor, truncatedFile } from "./replacement.ts";
import type { SessionSettings } from "./settings.ts";

export type TtlAction = "off" | "arm" | "touch" | "prune";

export interface TtlClock {
  /** Epoch seconds. */
  readonly now: number;
  readonly lastTouch: number | null;
  /** The TTL that applies (see `ttlInForce`); null if nothing is cached. */
  readonly ttl: number | null;
}

export function decideTtl({ now, lastTouch, ttl }: TtlClock, settings: SessionSettings): TtlAction {
  if (ttl === null || ttl <= 0) return "off";
  if (lastTouch === null) return "arm";
  return now - lastTouch < ttl - settings.cache_ttl_prune_buffer_seconds ? "touch" : "prune";
}

/** The first render after a load uses the TTL that was stored with the timeline; null when pruning is off. */
export function ttlInForce(settings: SessionSettings, stored: number | null, firstRender: boolean): number | null {
  const { cache_ttl_seconds: ttl } = settings;
  if (ttl === null || ttl <= 0) return null;
  return firstRender && stored !== null && stored > 0 ? stored : ttl;
}

type Group = EventBody<"blocks.pruned">["groups"][number];

/** The blocks of a visible slice to cover. The current turn counts as recent, even before its first block is added. */
export function pruneSlice(slice: readonly Entry[], currentTurn: string | null, settings: SessionSettings): Group[] {
  const ages = turnAges(slice, currentTurn);
  const keptBinaries = recentBinaries(slice, ages, settings);
  const groups: Group[] = [];
  for (const [index, entry] of slice.entries()) {
    const age = ages[index];
    if (age === undefined || age < settings.keep_recent_intact_turns || !isShown(entry)) continue;
    const replacement =
      age < settings.keep_recent_turns ? replaceRecent(entry, keptBinaries, settings) : replacementFor(entry, settings);
    if (replacement !== null && showsLess(replacement, entry))
      groups.push({ positions: [entry.position], anchor: entry.position, replacement });
  }
  return groups;
}

/** Whether a clipped block already shows less than its replacement would. */
function showsLess(replacement: string, { clip, view }: Entry): boolean {
  if (clip === null) return true;
  return (
    replacement.length < (view ?? []).reduce((sum, each) => sum + (each.type === "text" ? each.text.length : 0), 0)
  );
}

/** Whether pruning the block gains anything: it is visible and not empty. The slice must have been rendered. */
export function isShown(entry: Entry): boolean {
  return entry.overlay === null && entry.view?.length !== 0;
}

/** For each entry, the number of turns after its own; undefined before the first turn. */
function turnAges(slice: readonly Entry[], currentTurn: string | null): (number | undefined)[] {
  const order = new Map<string, number>();
  // A summary carries the turn in which it was made, but is placed before the turns it did not cover.
  const turns = slice.map(({ block, kind }) => (kind.role === "summary" ? undefined : block.turn_id || undefined));
  for (const turn of turns) if (turn !== undefined && !order.has(turn)) order.set(turn, order.size);
  if (currentTurn !== null && !order.has(currentTurn)) order.set(currentTurn, order.size);
  let last: string | undefined;
  return turns.map((turn) => {
    last = turn ?? last;
    const nth = last === undefined ? undefined : order.get(last);
    return nth === undefined ? undefined : order.size - 1 - nth;
  });
}

function replaceRecent(entry: Entry, keptBinaries: ReadonlySet<Entry>, settings: SessionSettings): string | null {
  const { block } = entry;
  if (isBinary(block)) return keptBinaries.has(entry) || !isOversized(block, settings) ? null : truncatedFile(block);
  if (entry.kind.role !== "result" || entry.traits.bulky !== true) return null;
  return (block.text?.length ?? 0) > settings.cache_truncation_max_text_chars ? replacementFor(entry, settings) : null;
}

/** Whether a block is large enough for pruning. Small pictures cost little and are never pruned. */
function isOversized(block: Block, settings: SessionSettings): boolean {
  return binaryChars(block) > settings.cache_truncation_max_base64_chars;
}

/** The newest pictures and PDFs of recent turns, within the limits of number and size. */
function recentBinaries(
  slice: readonly Entry[],
  ages: readonly (number | undefined)[],
  settings: SessionSettings,
): Set<Entry> {
  const kept = new Set<Entry>();
  let chars = 0;
  for (let i = slice.length - 1; i >= 0; i--) {
    const entry = slice[i];
    const age = ages[i];
    if (entry === undefined || age === undefined || age >= settings.keep_recent_turns) continue;
    if (!entry.isWhole || !isBinary(entry.block) || !isOversized(entry.block, settings)) continue;
    const size = binaryChars(entry.block);
    const intact = age < settings.keep_recent_intact_turns;
    const fits =
      kept.size < settings.cache_truncation_keep_recent_images &&
      chars + size <= settings.cache_truncation_max_image_pdf_b64_sum;
    if (!intact && !fits) continue;
    kept.add(entry);
    if (Number.isFinite(size)) chars += size;
  }
  return kept;
}

/** The message that explains a prune. The message is announced, and also stored on the timeline. */
export function pruneMessage(ttlSeconds: number): string {
  return `Context was pruned because the session TTL (${ttlSeconds}s) was exceeded.\nUse ${READ_TOOL}(path) to restore a logical path (fi:/ar:/so:/sk:/tc:/su:).`;
}
