/**
 * A provider's prompt cache. Stores the prefixes of requests, and prices each request by the prefix that it found.
 *
 * A request reads the longest prefix that is found (see `find-hit.ts`) and writes the part after it up to the last
 * breakpoint. The part up to the last one-hour breakpoint is written at the one-hour price, and the part after that at
 * the five-minute price. Content after the last breakpoint is billed in full. Entries that a request read or marked
 * live longer, counted from its start. Automatic caches write every block, including the tail, and read only multiples
 * of a fixed number of tokens. Costs are in units of an uncached input token.
 */
import type { Breakpoint, ProviderRules } from "@cairn/timeline";
import type { DescribedBlock } from "./described-block.ts";
import { findHit } from "./find-hit.ts";
import { boundOf } from "./lower-bound.ts";
import { refuseInvalid } from "./refuse.ts";
import type { TimedRequest } from "./timed-request.ts";

export interface RequestCost {
  readonly tokens: number;
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  readonly cost: number;
  /** Tokens of the tail. Each of them is billed in full. */
  readonly tail: number;
  /** The lowest possible cost of this request, given the previous one. */
  readonly bound: number;
}

interface CacheEntry {
  readonly ttl: number;
  expires: number;
}

export class CacheSimulator {
  readonly #rules: ProviderRules;
  /** Ids of exact prefixes: the id of the prefix one block shorter, and the last block's hash. */
  readonly #prefixes = new Map<string, number>();
  readonly #entries = new Map<number, CacheEntry>();
  #previous: TimedRequest | null = null;

  constructor(rules: ProviderRules) {
    this.#rules = rules;
  }

  /** Requests must be in order of time. Throws `request_refused` for a request that the provider would reject. */
  send(request: TimedRequest): RequestCost {
    const rules = this.#rules;
    refuseInvalid(request, rules);
    const { t, blocks } = request;
    const sizes = runningSums(blocks);
    const total = sizes.at(-1) ?? 0;
    const prefixes = this.#numberPrefixes(blocks);
    const sizeAt = (at: number) => sizes[at] ?? 0;
    const isLive = (at: number) => sizeAt(at) >= rules.minimumPrefix && this.#live(prefixes[at], t) !== null;
    const breakpoints = request.breakpoints.filter(({ i }) => sizeAt(i) >= rules.minimumPrefix);
    const hit = findHit(rules.lookup, breakpoints, blocks.length, isLive);
    const found = hit < 0 ? 0 : sizeAt(hit);
    const automatic = rules.lookup.kind === "automatic";
    const read = rules.lookup.kind === "automatic" ? found - (found % rules.lookup.grain) : found;
    const end = automatic ? total : Math.max(read, sizeAt(breakpoints.at(-1)?.i ?? -1));
    const endOfHour = Math.max(read, sizeAt(breakpoints.findLast(({ ttl }) => ttl === "1h")?.i ?? -1));
    const cost =
      read * rules.read +
      (endOfHour - read) * rules.write["1h"] +
      (end - endOfHour) * rules.write["5m"] +
      (total - end);
    if (automatic) {
      for (let at = 0; at < blocks.length; at++)
        if (sizeAt(at) >= rules.minimumPrefix) this.#keep(prefixes[at], t, rules.ttlSeconds["5m"]);
    } else {
      if (hit >= 0) this.#keep(prefixes[hit], t, 0);
      for (const { i, ttl } of latest(breakpoints, rules.maxWrites)) this.#keep(prefixes[i], t, rules.ttlSeconds[ttl]);
    }
    const bound = boundOf(request, this.#previous, breakpoints, rules);
    this.#previous = request;
    const tail = blocks.reduce((sum, block) => (block.kind === "tail" ? sum + block.tokens : sum), 0);
    return { tokens: total, read, written: end - read, uncached: total - end, cost, tail, bound };
  }

  #numberPrefixes(blocks: readonly DescribedBlock[]): number[] {
    let prefix = 0;
    return blocks.map(({ hash }) => {
      const key = `${prefix} ${hash}`;
      const known = this.#prefixes.get(key);
      prefix = known ?? this.#prefixes.size + 1;
      if (known === undefined) this.#prefixes.set(key, prefix);
      return prefix;
    });
  }

  #live(prefix: number | undefined, t: number): CacheEntry | null {
    const entry = prefix === undefined ? undefined : this.#entries.get(prefix);
    return entry !== undefined && entry.expires >= t ? entry : null;
  }

  /** Writes an entry, or extends the life of an existing one. */
  #keep(prefix: number | undefined, t: number, ttl: number): void {
    if (prefix === undefined) return;
    const entry = this.#live(prefix, t);
    if (entry === null) this.#entries.set(prefix, { ttl, expires: t + ttl });
    else entry.expires = Math.max(entry.expires, t + entry.ttl);
  }
}

function runningSums(blocks: readonly DescribedBlock[]): number[] {
  let sum = 0;
  return blocks.map(({ tokens }) => {
    sum += tokens;
    return sum;
  });
}

function latest(breakpoints: readonly Breakpoint[], count: number | null): readonly Breakpoint[] {
  return count === null ? breakpoints : breakpoints.slice(-count);
}
