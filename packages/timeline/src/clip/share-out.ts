/**
 * Distributes a number of tokens among blocks, smallest first: blocks that need no more than an equal share stay whole,
 * and the others share what is left. Every block keeps its header and the line that says where to read it, whatever
 * they cost.
 *
 * A picture or a document is shown whole or described. The largest are described, one after the other, until the others
 * fit; the tokens they free are distributed again.
 */
import type { CountTokens } from "../base/ports.ts";
import type { Steps } from "../base/steps.ts";
import { viewBinary } from "../message/binary-view.ts";
import { type ClipSource, clipSource, viewWhole } from "../render/block-view.ts";
import { estimateMessages } from "../render/estimate-messages.ts";
import type { Entry } from "../state/entry.ts";
import { clipTo, type FittedClip, fitLines } from "./fit-lines.ts";

/** A block with its full size in tokens. The source from which its clip is cut is made when it is first needed. */
export class Sharer {
  readonly entry: Entry;
  readonly #countTokens: CountTokens;
  #size: number;
  #isDescribed = false;
  #source: ClipSource | null = null;
  #least: FittedClip | null = null;

  constructor(entry: Entry, countTokens: CountTokens) {
    entry.tokens ??= estimateMessages(viewWhole(entry), entry.block, countTokens);
    this.entry = entry;
    this.#size = entry.tokens;
    this.#countTokens = countTokens;
  }

  /** Tokens of the whole block, or of its text if its picture or document is described. */
  get size(): number {
    return this.#size;
  }

  /** Whether the block has a picture or a document that is not described yet. */
  get isBinary(): boolean {
    return !this.#isDescribed && viewBinary(this.entry.block).length > 0;
  }

  /** Describes the picture or document instead of showing it. */
  describe(): void {
    const { block } = this.entry;
    const binary = estimateMessages(viewBinary(block), block, this.#countTokens);
    this.#isDescribed = true;
    this.#size = Math.max(this.least, this.#size - binary);
  }

  /** Tokens of the block when none of its content is shown, or of the whole block if that is less. */
  get least(): number {
    // Blocks that are never clipped, such as summaries, take their whole size: they are small or have their own limit.
    if (this.entry.kind.isFrame) return this.size;
    this.#least ??= clipTo(this.#cut, 0, this.#countTokens);
    return Math.min(this.size, this.#least.tokens);
  }

  /** Fits the block into `limit` tokens, or as close to it as possible; null when it stays whole. */
  *fit(limit: number): Steps<FittedClip | null> {
    if (!this.#isDescribed && (this.size <= limit || this.least >= this.size)) return null;
    const fitted = yield* fitLines(this.#cut, limit, this.#countTokens);
    return this.#isDescribed || fitted.tokens < this.size ? fitted : null;
  }

  get #cut(): ClipSource {
    this.#source ??= clipSource(this.entry);
    return this.#source;
  }
}

export interface Share {
  readonly sharer: Sharer;
  /** How the block is clipped; null when it is shown whole. */
  readonly clip: FittedClip | null;
}

export function* shareOut(sharers: readonly Sharer[], tokens: number): Steps<Share[]> {
  const level = yield* findLevel(sharers, tokens);
  const shares: Share[] = [];
  for (const sharer of sharers) shares.push({ sharer, clip: yield* sharer.fit(level) });
  return shares;
}

export function tokensOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { sharer, clip }) => sum + (clip?.tokens ?? sharer.size), 0);
}

/** The largest number of tokens per block with which all blocks together take at most `tokens`; null if none does. */
function* findLevel(sharers: readonly Sharer[], tokens: number): Steps<number> {
  let left = tokens;
  let sharing = inOrder(sharers);
  for (;;) {
    const level = levelOf(sharing, left);
    const largest = sharing.findLast((sharer) => sharer.isBinary && sharer.size > level);
    if (largest !== undefined) {
      largest.describe();
      sharing = inOrder(sharing);
      continue;
    }
    // Blocks that cannot be cut down to this level take the tokens they need from the others.
    const stuck: Sharer[] = [];
    for (const sharer of sharing) {
      if (sharer.size <= level) continue;
      yield;
      if (sharer.least > level) stuck.push(sharer);
    }
    if (stuck.length === 0 || stuck.length === sharing.length) return level;
    const isStuck = new Set(stuck);
    for (const { least } of stuck) left -= least;
    sharing = sharing.filter((sharer) => !isStuck.has(sharer));
  }
}

/** Sorts by size, smallest first; equal sizes keep their order. */
function inOrder(sharers: readonly Sharer[]): Sharer[] {
  return [...sharers].sort((a, b) => a.size - b.size || a.entry.position - b.entry.position);
}

/** The size up to which blocks stay whole when space is shared out. `sharing` is sorted by size, ascending. */
function levelOf(sharing: readonly Sharer[], tokens: number): number {
  let left = Math.max(0, tokens);
  for (const [index, { size }] of sharing.entries()) {
    const equal = left / (sharing.length - index);
    if (size > equal) return equal;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
