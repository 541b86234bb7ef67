/** Prices a trace under every scheme in every market, un-pruned and pruned. */
import { priceRequests, type TimedRequest } from "@cairn/testkit/cache";
import { type CacheStrategy, type CountTokens, PROVIDERS } from "@cairn/timeline";
import { type CostResult, type Market, marketName } from "./cost-result.ts";
import { Lowering } from "./lower.ts";
import { PrefixWatch } from "./prefix-watch.ts";
import { replay } from "./replay.ts";
import type { Reread } from "./reread.ts";
import { applyScheme, SCHEMES, type Scheme, strategyOf } from "./schemes.ts";
import type { Trace } from "./trace.ts";

export interface NamedTrace {
  readonly name: string;
  readonly trace: Trace;
}

export interface Replayed {
  readonly requests: readonly TimedRequest[];
  readonly undeclaredResets: number;
}

/** The requests of one conversation in one market. `reread` as in `CostResult`. */
export function replayRequests(
  trace: Trace,
  strategy: CacheStrategy,
  { provider, ttl }: Market,
  reread: Reread | null,
  countTokens: CountTokens,
  lowering = new Lowering(trace, countTokens),
): Replayed {
  const prune = reread === null ? {} : { prune: { reread } };
  const watch = new PrefixWatch();
  const requests: TimedRequest[] = [];
  for (const moment of replay(trace, { strategy, countTokens, provider, ttl, ...prune })) {
    const request = lowering.request(moment, { strategy, provider, ttl: moment.ttl });
    watch.see(request, moment.resets);
    requests.push(request);
  }
  return { requests, undeclaredResets: watch.undeclared };
}

export function measureTrace(
  { name, trace }: NamedTrace,
  markets: readonly Market[],
  rereads: readonly Reread[],
  countTokens: CountTokens,
): CostResult[] {
  const lowering = new Lowering(trace, countTokens);
  return markets.flatMap((market) => {
    const rules = PROVIDERS[market.provider];
    const price = (scheme: Scheme, reread: Reread | null, { requests, undeclaredResets }: Replayed): CostResult => ({
      ...{ trace: name, market: marketName(market), scheme, reread, undeclaredResets },
      ...priceRequests(
        requests.map((request) => applyScheme(scheme, rules, request)),
        rules,
      ),
    });
    const run = (strategy: CacheStrategy, reread: Reread | null) =>
      replayRequests(trace, strategy, market, reread, countTokens, lowering);
    const plain = { seed: run("seed", null), economic: run("economic", null) };
    return [
      ...SCHEMES.map((scheme) => price(scheme, null, plain[strategyOf(scheme)])),
      ...rereads.map((reread) => price("economic", reread, run("economic", reread))),
    ];
  });
}
