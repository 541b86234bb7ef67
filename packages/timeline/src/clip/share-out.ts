/**
 * Shares a number of tokens out among blocks, smallest first: blocks that need no more than an equal share stay whole, and
 * the others share what is left. Every block keeps its header and the line that says where to read it, whatever that
 * takes.
 */
import type { CountTokens } from "../ports.ts";
import { type ClipSource, clipSource, viewWhole } from "../render/block-view.ts";
import type { Entry } from "../state/entry.ts";
import { estimateMessages } from "../tokens/estimate-messages.ts";
import { clipTo, type FittedClip, fitLines } from "./fit-lines.ts";

/** Never clipped: they are small, and a summary keeps to a limit of its own. */
const KEPT_TYPES: ReadonlySet<string> = new Set(["turn.header", "conv.range.summary"]);

/** A block with what it takes up whole, and what a clip of it is cut from, made when first needed. */
export class Sharer {
  readonly entry: Entry;
  readonly size: number;
  readonly #countTokens: CountTokens;
  #source: ClipSource | null = null;
  #least: FittedClip | null = null;

  constructor(entry: Entry, countTokens: CountTokens) {
    entry.tokens ??= estimateMessages(viewWhole(entry), entry.block, countTokens);
    this.entry = entry;
    this.size = entry.tokens;
    this.#countTokens = countTokens;
  }

  /** What the block takes up when nothing of its content is shown, or whole if that is less. */
  get least(): number {
    if (KEPT_TYPES.has(this.entry.type)) return this.size;
    this.#least ??= clipTo(this.#cut, 0, this.#countTokens);
    return Math.min(this.size, this.#least.tokens);
  }

  /** The block within `limit` tokens, or as little of it as can be; null when it stays whole. */
  fit(limit: number): FittedClip | null {
    if (this.size <= limit || this.least >= this.size) return null;
    const fitted = fitLines(this.#cut, limit, this.#countTokens);
    return fitted.tokens < this.size ? fitted : null;
  }

  get #cut(): ClipSource {
    this.#source ??= clipSource(this.entry);
    return this.#source;
  }
}

export interface Share {
  readonly sharer: Sharer;
  /** Null when the block is shown whole. */
  readonly clip: FittedClip | null;
}

export function shareOut(sharers: readonly Sharer[], tokens: number): Share[] {
  const level = findLevel(sharers, tokens);
  return sharers.map((sharer) => ({ sharer, clip: sharer.size <= level ? null : sharer.fit(level) }));
}

export function tokensOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { sharer, clip }) => sum + (clip?.tokens ?? sharer.size), 0);
}

/** The most tokens that each block may take so that all together take `tokens`, where that is possible. */
function findLevel(sharers: readonly Sharer[], tokens: number): number {
  let left = tokens;
  let sharing = [...sharers].sort((a, b) => a.size - b.size || a.entry.position - b.entry.position);
  for (;;) {
    const level = levelOf(sharing, left);
    // Blocks that cannot be cut down to the level take what they need from the others.
    const stuck = sharing.filter((sharer) => sharer.size > level && sharer.least > level);
    if (stuck.length === 0 || stuck.length === sharing.length) return level;
    const isStuck = new Set(stuck);
    for (const { least } of stuck) left -= least;
    sharing = sharing.filter((sharer) => !isStuck.has(sharer));
  }
}

/** `sharing` ascends by size. */
function levelOf(sharing: readonly Sharer[], tokens: number): number {
  let left = Math.max(0, tokens);
  for (const [index, { size }] of sharing.entries()) {
    const equal = left / (sharing.length - index);
    if (size > equal) return equal;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
