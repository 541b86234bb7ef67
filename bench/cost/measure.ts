/**
 * Prices a trace under every scheme in every market, with and without pruning. Only conversations that differ are
 * replayed. If only the cache markers differ, the markers of a replay are moved: for other lifetimes without pruning,
 * for breakpoints of schemes that are not the engine's, and for flat history on Bedrock.
 */
import { priceRequests, type TimedRequest } from "@cairn/testkit/cache";
import { type CacheStrategy, type CacheTtl, type CountTokens, type Lowering, PROVIDERS } from "@cairn/timeline";
import { type CostResult, type Market, marketName } from "./cost-result.ts";
import { type Replayed, replay } from "./replay.ts";
import type { Reread } from "./reread.ts";
import { applyScheme, SCHEMES, type Scheme, strategyOf } from "./schemes.ts";
import type { Trace } from "./trace.ts";

export interface NamedTrace {
  readonly name: string;
  readonly trace: Trace;
}

/** The conversations of a trace, each replayed once. */
class Replays {
  readonly #trace: Trace;
  readonly #countTokens: CountTokens;
  readonly #made = new Map<string, Promise<Replayed>>();

  constructor(trace: Trace, countTokens: CountTokens) {
    this.#trace = trace;
    this.#countTokens = countTokens;
  }

  /** The requests of the conversation in one market. `reread` as in `CostResult`. */
  async requests(
    strategy: CacheStrategy,
    { provider, ttl }: Market,
    reread: Reread | null,
    lowering: Lowering["name"] = "flat",
  ): Promise<Replayed> {
    // Flat history has the same blocks on both providers. Native history is counted in different positions.
    const speaker = provider === "bedrock" && lowering === "flat" ? "anthropic" : provider;
    if (reread !== null || ttl === "auto") return this.#replay(strategy, { provider: speaker, ttl }, reread, lowering);
    // An automatic cache ignores checkpoints, so all strategies send the same requests.
    const sent = speaker === "automatic" ? "economic" : strategy;
    const { requests, ...rest } = await this.#replay(sent, { provider: speaker, ttl: "auto" }, null, lowering);
    return { ...rest, requests: requests.map((request) => withLife(request, strategy, ttl)) };
  }

  #replay(
    strategy: CacheStrategy,
    { provider, ttl }: Market,
    reread: Reread | null,
    lowering: Lowering["name"],
  ): Promise<Replayed> {
    const name = JSON.stringify([strategy, provider, ttl, reread, lowering]);
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const options = { provider, memory: { strategy, ttl }, reread, lowering, countTokens: this.#countTokens };
    const made = replay(this.#trace, options);
    this.#made.set(name, made);
    return made;
  }
}

/** The request with another requested lifetime. Under `economic`, tools and system text keep an hour. */
function withLife(request: TimedRequest, strategy: CacheStrategy, ttl: CacheTtl): TimedRequest {
  const moves = (at: number) => strategy === "seed" || request.blocks[at]?.kind === "stable";
  return {
    ...request,
    breakpoints: request.breakpoints.map((point) => (moves(point.i) ? { ...point, ttl } : point)),
  };
}

export async function measureTrace(
  { name, trace }: NamedTrace,
  markets: readonly Market[],
  rereads: readonly Reread[],
  countTokens: CountTokens,
): Promise<CostResult[]> {
  const replays = new Replays(trace, countTokens);
  const results: CostResult[] = [];
  for (const market of markets) {
    const rules = PROVIDERS[market.provider];
    const price = (
      scheme: Scheme,
      reread: Reread | null,
      { requests, undeclaredResets }: Replayed,
      lowering: Lowering["name"] = "flat",
    ): CostResult => ({
      trace: name,
      market: marketName(market),
      scheme,
      lowering,
      reread,
      undeclaredResets,
      ...priceRequests(
        requests.map((request) => applyScheme(scheme, rules, request)),
        rules,
      ),
    });
    for (const scheme of SCHEMES)
      results.push(price(scheme, null, await replays.requests(strategyOf(scheme), market, null)));
    const native = await replays.requests("economic", market, null, "native");
    results.push(price("economic", null, native, "native"));
    for (const reread of rereads)
      results.push(price("economic", reread, await replays.requests("economic", market, reread)));
  }
  return results;
}
