/**
 * Models what a provider's cache contains of a conversation. Each receipt names the prefixes that its request read,
 * wrote or kept alive, and when. With the provider's published rules, the next read is predicted before it is billed.
 *
 * Tokens here are the provider's. The reads and writes that a request reports give the size of the prefix up to its
 * last breakpoint. Sizes in between, and the sizes of a request whose answer was lost, are interpolated with Cairn's
 * own count. So the predicted prefix is exact if the provider follows its rules. Its size is exact if the provider
 * reported this size, and otherwise as exact as Cairn's count. Other conversations are unknown; another conversation
 * with the same tools and system text may already have filled the cache.
 */
import {
  type CountTokens,
  PROVIDERS,
  type ProviderId,
  type ProviderRules,
  wirePartTokens,
  wirePositions,
} from "@cairn/timeline";
import type { ModelUsage } from "../model/model.ts";
import type { CacheEntry, CacheRecord } from "./request-record.ts";
import { type PrefixedBody, wirePrefixes } from "./wire-prefixes.ts";

interface Remembered {
  readonly tokens: number;
  readonly ttl: CacheEntry["ttl"];
  /** Epoch seconds. */
  readonly expires: number;
}

export interface ExpectedRequest {
  readonly sent: PrefixedBody;
  readonly prefixes: readonly string[];
  /** Epoch seconds. */
  readonly startedAt: number;
  /** Index of the last wire block that should be read from the cache; -1 for none. */
  readonly hit: number;
  readonly predictedRead: number;
}

export class CacheMemory {
  readonly #rules: ProviderRules;
  readonly #entries = new Map<string, Remembered>();

  constructor(provider: ProviderId) {
    this.#rules = PROVIDERS[provider];
  }

  /** Automatic caches guarantee nothing, so a prediction could not be checked. */
  get predicts(): boolean {
    return this.#rules.lookup.kind !== "automatic";
  }

  /** Seconds after which every entry has expired. */
  get longestLife(): number {
    return Math.max(...Object.values(this.#rules.ttlSeconds));
  }

  expect(sent: PrefixedBody, startedAt: number): ExpectedRequest {
    const prefixes = wirePrefixes(sent);
    const hit = this.#find(sent, prefixes, startedAt);
    const predictedRead = this.#live(prefixes[hit], startedAt)?.tokens ?? 0;
    return { sent, prefixes, startedAt, hit, predictedRead };
  }

  /** Records a request. `usage`: the reported usage; null when the answer never arrived. */
  settle(request: ExpectedRequest, usage: ModelUsage | null, countTokens: CountTokens): CacheRecord {
    const isEmpty = usage !== null && usage.cacheRead + usage.cacheWrite === 0;
    const entries = isEmpty ? [] : this.#kept(request, usage, countTokens);
    this.take(entries, request.startedAt);
    return { provider: this.#rules.id, predicted_read: request.predictedRead, entries };
  }

  /** Adds the entries of a receipt. Receipts must come in order of time. */
  take(entries: readonly CacheEntry[], startedAt: number): void {
    for (const { prefix, tokens, ttl: asked } of entries) {
      // An entry that already exists keeps its own lifetime.
      const ttl = this.#live(prefix, startedAt)?.ttl ?? asked;
      this.#entries.set(prefix, { tokens, ttl, expires: startedAt + this.#rules.ttlSeconds[ttl] });
    }
  }

  #live(prefix: string | undefined, at: number): Remembered | null {
    const entry = prefix === undefined ? undefined : this.#entries.get(prefix);
    return entry !== undefined && entry.expires >= at ? entry : null;
  }

  /** The places where the provider looks, the longest prefix first. */
  #find({ wire }: PrefixedBody, prefixes: readonly string[], at: number): number {
    const { lookup } = this.#rules;
    const points = wire.breakpoints.map(({ i }) => i);
    const isLive = (i: number) => this.#live(prefixes[i], at) !== null;
    if (lookup.kind === "automatic") return -1;
    if (lookup.kind === "own_breakpoints") return points.findLast(isLive) ?? -1;
    const positions = wirePositions(wire);
    const distance = (from: number, to: number) => (positions[from] ?? 0) - (positions[to] ?? 0);
    for (const point of points.toReversed())
      for (let i = point; i >= 0 && distance(point, i) < lookup.positions; i--) if (isLive(i)) return i;
    return -1;
  }

  /** The prefixes in the cache after a request: the one that it read, and the ones that it marked. */
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
    // The provider does not say where an unpredicted read ended, so all blocks of the request are counted.
    const isExpected = usage === null || usage.cacheRead === request.predictedRead;
    const from = isExpected ? request.hit : -1;
    const known = isExpected ? request.predictedRead : 0;
    const last = breakpoints.at(-1)?.i ?? -1;
    const longest = breakpoints.findLast(({ ttl }) => ttl === "1h")?.i ?? -1;
    const counts: number[] = [0];
    for (const block of blocks.slice(from + 1, last + 1))
      counts.push((counts.at(-1) ?? 0) + Math.max(1, wirePartTokens(block.part, countTokens)));
    const ours = counts.at(-1) ?? 0;
    const theirs = usage === null ? ours : usage.cacheRead + usage.cacheWrite - known;
    return (at) => {
      if (at <= from) return this.#live(prefixes[at], startedAt)?.tokens ?? 0;
      if (at === longest && usage?.cacheWriteLong !== undefined) return usage.cacheRead + usage.cacheWriteLong;
      return known + (ours === 0 ? 0 : Math.round((theirs * (counts[at - from] ?? ours)) / ours));
    };
  }
}
