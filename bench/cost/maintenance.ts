/**
 * Pruning during a replay, as an agent would call it, and what it takes out of view.
 *
 * When a turn closes, its large results go if that pays at the provider's prices; before each request, more goes if
 * the cache has gone cold by the TTL the previous request asked for.
 */
import {
  type CacheTtl,
  type DeclaredReset,
  type EventBody,
  expectRemoval,
  type ProviderRules,
  type RemovalPast,
  type Timeline,
  type TimelineEvent,
} from "@cairn/timeline";
import type { Reread } from "./reread.ts";

export interface RemovedBlock {
  readonly path: string;
  readonly text: string;
}

export class Maintenance {
  readonly #rules: ProviderRules;
  readonly #reread: Reread;
  /** Paths that were removed and whose turn to be read back has passed. */
  readonly #passed = new Set<string>();
  #past: RemovalPast = { requests: 0, prunedTokens: 0, readAgainTokens: 0 };
  #waiting: (RemovedBlock & { readonly tokens: number })[] = [];

  constructor(rules: ProviderRules, reread: Reread) {
    this.#rules = rules;
    this.#reread = reread;
  }

  afterTurn(timeline: Timeline, turnId: string, ttl: CacheTtl): DeclaredReset[] {
    const reset = timeline.pruneTurn(turnId, this.#prices(ttl));
    return reset === null ? [] : [reset];
  }

  beforeRequest(timeline: Timeline, now: number, ttl: CacheTtl): readonly DeclaredReset[] {
    const session = { cache_ttl_seconds: this.#rules.ttlSeconds[ttl] };
    // The TTL may change from request to request: the one stored with the last request tells whether it has passed.
    const { resets } = timeline.prune({
      now,
      session,
      firstRender: true,
      policy: "economic",
      prices: this.#prices(ttl),
    });
    this.#past = { ...this.#past, requests: this.#past.requests + 1 };
    return resets;
  }

  /** Takes note of the blocks that new events covered. */
  watch(timeline: Timeline, events: readonly TimelineEvent[]): void {
    for (const event of events) {
      if (event.kind !== "blocks.pruned") continue;
      const { groups } = event.body as EventBody<"blocks.pruned">;
      for (const position of groups.flatMap((group) => group.positions)) {
        const entry = timeline.state.at(position);
        if (entry?.block.path === undefined || entry.block.text === undefined) continue;
        this.#waiting.push({ path: entry.block.path, text: entry.block.text, tokens: entry.tokens ?? 0 });
        this.#past = { ...this.#past, prunedTokens: this.#past.prunedTokens + (entry.tokens ?? 0) };
      }
    }
  }

  /** What is read back now, of all that was removed since the last call. */
  takeRereads(): RemovedBlock[] {
    const { share: part, how } = this.#reread;
    const removed = how === "again" ? this.#waiting : this.#waiting.filter(({ path }) => !this.#passed.has(path));
    this.#waiting = [];
    for (const { path } of removed) this.#passed.add(path);
    const share = part * removed.reduce((sum, { tokens }) => sum + tokens, 0);
    const read: RemovedBlock[] = [];
    let tokens = 0;
    for (const block of removed) {
      if (tokens >= share) break;
      tokens += block.tokens;
      read.push(block);
    }
    this.#past = { ...this.#past, readAgainTokens: this.#past.readAgainTokens + tokens };
    return read;
  }

  #prices(ttl: CacheTtl) {
    return expectRemoval(this.#past, { read: this.#rules.read, write: this.#rules.write[ttl] });
  }
}
