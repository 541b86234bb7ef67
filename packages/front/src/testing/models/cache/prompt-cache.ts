/**
 * The prompt caches of one simulated provider: the cache simulator behind a wire format.
 *
 * There is one cache for each value of `Prompt.cache`. Some providers also look for entries at the ends of earlier
 * messages, but write none there (OpenAI's implicit mode). For these providers, the latest such end that is still
 * cached becomes one more breakpoint, because it is the only one that can be found. The request keeps its entry alive.
 */
import { type Breakpoint, hashText, type ProviderRules } from "@cairn/timeline";
import { CacheSimulator } from "../../cache/cache-simulator.ts";
import type { Prompt } from "./prompt.ts";

/** Input tokens of a request, by price. */
export interface PromptUsage {
  readonly total: number;
  readonly read: number;
  readonly written: number;
  /** The part of `written` with a lifetime of an hour. */
  readonly writtenForHour: number;
  readonly uncached: number;
}

/** The number of earlier message ends that a provider looks at. */
const MAX_LOOKUPS = 20;

interface NamedCache {
  readonly simulator: CacheSimulator;
  /** When a prefix was last written or read, in seconds. */
  readonly touched: Map<string, number>;
}

export class PromptCache {
  readonly #caches = new Map<string, NamedCache>();

  /** `at`: start of the request in milliseconds; requests come in order of time. */
  send(prompt: Prompt, at: number): PromptUsage {
    const { blocks, rules } = prompt;
    const cache = this.#open(prompt);
    const t = at / 1_000;
    const own = withinLookup(prompt.breakpoints, rules);
    const prefixes = rules.lookup.kind === "own_breakpoints" ? prefixHashes(prompt) : [];
    const end = this.#latestKept(prompt, prefixes, t, cache);
    const breakpoints = own.some(({ i }) => i === end) ? own : insert(own, end);
    const { tokens, read, written, uncached } = cache.simulator.send({ t, blocks, breakpoints });
    const kept = rules.maxWrites === null ? breakpoints : breakpoints.slice(-rules.maxWrites);
    for (const { i } of kept) cache.touched.set(prefixes[i] ?? "", t);
    return { total: tokens, read, written, writtenForHour: writtenForHour(prompt, read), uncached };
  }

  /** The latest message end at which the provider looks and finds an entry, or -1. */
  #latestKept({ lookups, rules }: Prompt, prefixes: readonly string[], t: number, { touched }: NamedCache): number {
    const isKept = (i: number) => {
      const last = touched.get(prefixes[i] ?? "");
      return last !== undefined && t - last <= rules.ttlSeconds["5m"];
    };
    return lookups.slice(-MAX_LOOKUPS).findLast(isKept) ?? -1;
  }

  #open({ cache, rules }: Prompt): NamedCache {
    const known = this.#caches.get(cache);
    if (known !== undefined) return known;
    const opened = { simulator: new CacheSimulator(withOneMore(rules)), touched: new Map<string, number>() };
    this.#caches.set(cache, opened);
    return opened;
  }
}

/** A provider looks only at its maximum number of breakpoints and ignores the others. */
function withinLookup(breakpoints: readonly Breakpoint[], { lookup }: ProviderRules): readonly Breakpoint[] {
  if (lookup.kind !== "own_breakpoints" || breakpoints.length <= lookup.first + lookup.latest) return breakpoints;
  return [...breakpoints.slice(0, lookup.first), ...breakpoints.slice(-lookup.latest)];
}

function insert(breakpoints: readonly Breakpoint[], i: number): readonly Breakpoint[] {
  if (i < 0) return breakpoints;
  return [...breakpoints, { i, ttl: "5m" as const }].sort((a, b) => a.i - b.i);
}

/** Leaves one breakpoint free for the end of an earlier message. */
function withOneMore(rules: ProviderRules): ProviderRules {
  const { lookup, maxBreakpoints } = rules;
  if (lookup.kind !== "own_breakpoints") return rules;
  return { ...rules, lookup: { ...lookup, latest: lookup.latest + 1 }, maxBreakpoints: maxBreakpoints + 1 };
}

/** Tokens written up to the last breakpoint with a lifetime of an hour. */
function writtenForHour({ blocks, breakpoints, rules }: Prompt, read: number): number {
  let size = 0;
  let end = read;
  const hours = new Set(breakpoints.filter(({ ttl }) => ttl === "1h").map(({ i }) => i));
  for (const [at, { tokens }] of blocks.entries()) {
    size += tokens;
    if (hours.has(at) && size >= rules.minimumPrefix) end = Math.max(end, size);
  }
  return end - read;
}

function prefixHashes({ blocks }: Prompt): string[] {
  let prefix = "";
  return blocks.map(({ hash }) => {
    prefix = hashText(`${prefix} ${hash}`);
    return prefix;
  });
}
