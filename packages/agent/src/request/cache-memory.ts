/**
 * What a provider's cache holds of a conversation, as far as its receipts tell: each names the prefixes it read, wrote
 * or kept alive, and when. From that, and the provider's published rules, the next read is predicted before it is billed.
 *
 * Tokens are the provider's own. What a request reports as read and written is the size of the prefix up to its last
 * breakpoint; points in between share in it by our own count of what is new, which is all that is ever counted here.
 * So a prediction is exact where the provider keeps to its rules, whatever its tokenizer. It knows nothing of other
 * conversations: one that shares tools and system text may have been there before.
 */
import { type CountTokens, describeBlock, PROVIDERS, type ProviderId, type ProviderRules } from "@cairn/timeline";
import type { ModelUsage, SentBody } from "../model/model.ts";
import type { CacheEntry, CacheRecord } from "./request-record.ts";
import { wirePrefixes } from "./wire-prefixes.ts";

interface Remembered {
  readonly tokens: number;
  readonly ttl: CacheEntry["ttl"];
  /** Epoch seconds. */
  readonly expires: number;
}

/** A request that was sent, and what it should find. */
export interface ExpectedRequest {
  readonly sent: Pick<SentBody, "wire" | "settings">;
  readonly prefixes: readonly string[];
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Index of the last wire block that should be read; -1 for none. */
  readonly hit: number;
  readonly predictedRead: number;
}

export class CacheMemory {
  readonly #rules: ProviderRules;
  readonly #entries = new Map<string, Remembered>();

  constructor(provider: ProviderId) {
    this.#rules = PROVIDERS[provider];
  }

  /** Automatic caches promise nothing that could be held against them. */
  get predicts(): boolean {
    return this.#rules.lookup.kind !== "automatic";
  }

  /** Seconds after which nothing is kept any more. */
  get longestLife(): number {
    return Math.max(...Object.values(this.#rules.ttlSeconds));
  }

  expect(sent: Pick<SentBody, "wire" | "settings">, startedAt: number): ExpectedRequest {
    const prefixes = wirePrefixes(sent);
    const hit = this.#find(sent, prefixes, startedAt);
    const predictedRead = this.#live(prefixes[hit], startedAt)?.tokens ?? 0;
    return { sent, prefixes, startedAt, hit, predictedRead };
  }

  /** Remembers that a request was made. `usage`: what was reported; null when its answer never came. */
  settle(request: ExpectedRequest, usage: ModelUsage | null, countTokens: CountTokens): CacheRecord {
    const isEmpty = usage !== null && usage.cacheRead + usage.cacheWrite === 0;
    const entries = isEmpty ? [] : this.#kept(request, usage, countTokens);
    this.take(entries, request.startedAt);
    return { provider: this.#rules.id, predicted_read: request.predictedRead, entries };
  }

  /** Takes in what a receipt names. Receipts come in the order of their times. */
  take(entries: readonly CacheEntry[], startedAt: number): void {
    for (const { prefix, tokens, ttl: asked } of entries) {
      // An entry that is there lives on by its own time.
      const ttl = this.#live(prefix, startedAt)?.ttl ?? asked;
      this.#entries.set(prefix, { tokens, ttl, expires: startedAt + this.#rules.ttlSeconds[ttl] });
    }
  }

  #live(prefix: string | undefined, at: number): Remembered | null {
    const entry = prefix === undefined ? undefined : this.#entries.get(prefix);
    return entry !== undefined && entry.expires >= at ? entry : null;
  }

  /** Where the provider looks, the longest prefix first. */
  #find({ wire }: Pick<SentBody, "wire">, prefixes: readonly string[], at: number): number {
    const { lookup } = this.#rules;
    const points = wire.breakpoints.map(({ i }) => i);
    const isLive = (i: number) => this.#live(prefixes[i], at) !== null;
    if (lookup.kind === "automatic") return -1;
    if (lookup.kind === "own_breakpoints") return points.findLast(isLive) ?? -1;
    for (const point of points.toReversed())
      for (let i = point; i >= 0 && i > point - lookup.positions; i--) if (isLive(i)) return i;
    return -1;
  }

  /** What the provider keeps after a request: the prefix it read, and those it was asked to keep. */
  #kept(request: ExpectedRequest, usage: ModelUsage | null, countTokens: CountTokens): CacheEntry[] {
    const { prefixes, hit, startedAt } = request;
    const { breakpoints } = request.sent.wire;
    const { maxWrites, minimumPrefix } = this.#rules;
    const asked = new Map((maxWrites === null ? breakpoints : breakpoints.slice(-maxWrites)).map((p) => [p.i, p.ttl]));
    const read = this.#live(prefixes[hit], startedAt);
    if (read !== null && !asked.has(hit)) asked.set(hit, read.ttl);
    const sizeOf = this.#sizes(request, usage, countTokens);
    return [...asked]
      .sort(([a], [b]) => a - b)
      .map(([at, ttl]): CacheEntry => ({ at, prefix: prefixes[at] ?? "", tokens: sizeOf(at), ttl }))
      .filter(({ tokens }) => tokens >= minimumPrefix);
  }

  /** Tokens of the prefix that ends with a block. */
  #sizes(request: ExpectedRequest, usage: ModelUsage | null, countTokens: CountTokens): (at: number) => number {
    const { prefixes, startedAt, sent } = request;
    const { blocks, breakpoints } = sent.wire;
    // A read that nobody expected says nothing about where it ended: then everything is counted.
    const isExpected = usage === null || usage.cacheRead === request.predictedRead;
    const from = isExpected ? request.hit : -1;
    const known = isExpected ? request.predictedRead : 0;
    const last = breakpoints.at(-1)?.i ?? -1;
    const longest = breakpoints.findLast(({ ttl }) => ttl === "1h")?.i ?? -1;
    const counts: number[] = [0];
    for (const block of blocks.slice(from + 1, last + 1))
      counts.push((counts.at(-1) ?? 0) + Math.max(1, describeBlock(block, countTokens).tokens));
    const ours = counts.at(-1) ?? 0;
    const theirs = usage === null ? ours : usage.cacheRead + usage.cacheWrite - known;
    return (at) => {
      if (at <= from) return this.#live(prefixes[at], startedAt)?.tokens ?? 0;
      if (at === longest && usage?.cacheWriteLong !== undefined) return usage.cacheRead + usage.cacheWriteLong;
      return known + (ours === 0 ? 0 : Math.round((theirs * (counts[at - from] ?? ours)) / ours));
    };
  }
}
