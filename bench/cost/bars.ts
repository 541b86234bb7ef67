/**
 * The limits for costs. Costs with pruning are compared with `seed` without pruning in the same market; the automatic
 * choice of the TTL is compared with the cheaper of the two fixed TTLs. Every market must save a quarter when 60 % of
 * the removed content is read again, each content once. If copies are read back turn after turn, pruning must cost no
 * more than not pruning. `yardstick.json` contains the cost of the same conversations without their tails, when they
 * were rendered without an agent: real turns may cost 3 % more.
 */

import type { CostResult } from "./cost-result.ts";
import { rowName } from "./cost-result.ts";
import yardstick from "./yardstick.json" with { type: "json" };

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly ok: boolean;
}

const BOUND_MARKETS = ["anthropic 5m", "anthropic 1h", "openai"];
const AUTO = "anthropic auto";
const FIXED = ["anthropic 5m", "anthropic 1h"];

export function checkBars(results: readonly CostResult[]): Bar[] {
  const traces = [...new Set(results.map(({ trace }) => trace))];
  const undeclared = results.reduce((sum, { undeclaredResets }) => sum + undeclaredResets, 0);
  return [
    ...traces.flatMap((trace) => plainBars(results.filter((result) => result.trace === trace))),
    ...traces.flatMap((trace) => pruneBars(results.filter((result) => result.trace === trace))),
    atMost("undeclared resets", undeclared, 0),
  ];
}

/** Compares the project's own traces with `yardstick.json`, with tokens counted as when that file was made. */
export function yardstickBars(results: readonly CostResult[]): Bar[] {
  const known: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>> = yardstick;
  return results.flatMap((result) => {
    const before = known[result.trace]?.[rowName(result)]?.[result.market];
    if (before === undefined) return [];
    const name = `${result.trace}: ${rowName(result)} / before, ${result.market}`;
    return [atMost(name, (result.cost - result.tail) / before, 1.03)];
  });
}

function plainBars(results: readonly CostResult[]): Bar[] {
  const plain = results.filter(({ scheme, reread }) => scheme === "economic" && reread === null);
  const economic = plain.filter(({ lowering }) => lowering === "flat");
  const name = economic[0]?.trace ?? "";
  const bounds = economic
    .filter(({ market }) => BOUND_MARKETS.includes(market))
    .map(({ market, ratio }) => atMost(`${name}: economic / bound, ${market}`, ratio, 1.02));
  const auto = economic.find(({ market }) => market === AUTO);
  const fixed = Math.min(...economic.filter(({ market }) => FIXED.includes(market)).map(({ cost }) => cost));
  const choice = auto === undefined ? [] : [atMost(`${name}: TTL auto / better fixed one`, auto.cost / fixed, 1.1)];
  const tail = Math.max(...economic.map(({ tailShare }) => tailShare));
  return [...bounds, ...choice, ...nativeBars(plain), atMost(`${name}: tail / cost, worst market`, tail, 0.12)];
}

/** Bars for the native lowering, which sends a conversation in the provider's own roles. */
function nativeBars(plain: readonly CostResult[]): Bar[] {
  return plain.flatMap(({ trace, market, lowering, cost }) => {
    const flat = plain.find((each) => each.lowering === "flat" && each.market === market);
    if (lowering !== "native" || flat === undefined) return [];
    return [atMost(`${trace}: native / flat, ${market}`, cost / flat.cost, 1.02)];
  });
}

function pruneBars(results: readonly CostResult[]): Bar[] {
  const pruned = results.filter(({ reread }) => reread !== null);
  const name = pruned[0]?.trace;
  if (name === undefined) return [];
  const worst = (of: readonly CostResult[]) => Math.max(...of.map((result) => result.cost / seedCost(results, result)));
  const bars = [atMost(`${name}: pruned / seed, worst market, read back or not`, worst(pruned), 1)];
  if (name !== "mixed") return bars;
  const kept = pruned.filter(({ reread }) => reread?.share === 0);
  const once = pruned.filter(({ reread }) => reread?.share === 0.6 && reread.how === "once");
  if (kept.length > 0) bars.push(atMost(`${name}: pruned / seed, worst market`, worst(kept), 0.6));
  if (once.length > 0) bars.push(atMost(`${name}: pruned, 60 % read once / seed, worst market`, worst(once), 0.75));
  return bars;
}

/** The cost of `seed` in the same market; for the automatic choice, with the cheaper of the two fixed TTLs. */
function seedCost(results: readonly CostResult[], { market }: CostResult): number {
  const markets = market === AUTO ? FIXED : [market];
  const seeds = results.filter((each) => each.scheme === "seed" && markets.includes(each.market));
  return Math.min(...seeds.map(({ cost }) => cost));
}

function atMost(name: string, value: number, limit: number): Bar {
  return { name, value, limit, ok: value <= limit };
}
