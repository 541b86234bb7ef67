/**
 * Prints costs as text: one row for each scheme, one column for each market, in thousands of base input tokens, with
 * the ratio to the lower bound.
 */
import type { Bar } from "./bars.ts";
import { type CostResult, percent, rowName } from "./cost-result.ts";

export function printTraces(results: readonly CostResult[]): string {
  const traces = [...new Set(results.map(({ trace }) => trace))];
  return traces.map((trace) => printTrace(results.filter((result) => result.trace === trace))).join("\n\n");
}

function printTrace(results: readonly CostResult[]): string {
  const markets = [...new Set(results.map(({ market }) => market))];
  const rows = [...new Set(results.map(rowName))];
  const find = (row: string, market: string) =>
    results.find((result) => rowName(result) === row && result.market === market);
  const cell = (result: CostResult | undefined) =>
    result === undefined ? "" : `${thousands(result.cost)} ${(result.cost / boundOf(results, result)).toFixed(2)}`;
  const bounds = markets.map((market) => thousands(find("economic", market)?.bound ?? 0));
  const tails = markets.map((market) => percent(find("economic", market)?.tailShare ?? 0));
  return grid([
    [results[0]?.trace ?? "", ...markets],
    ...rows.map((row) => [row, ...markets.map((market) => cell(find(row, market)))]),
    ["lower bound, un-pruned", ...bounds.map((bound) => `${bound} 1.00`)],
    ["tail's share, economic", ...tails],
  ]);
}

export function printBars(bars: readonly Bar[]): string {
  const row = ({ name, value, limit, ok }: Bar) => [name, value.toFixed(3), String(limit), ok ? "ok" : "FAILED"];
  return grid([["bar", "value", "at most", ""], ...bars.map(row)]);
}

/** All rows of a column are compared with the same lower bound, that of `economic` without pruning. */
function boundOf(results: readonly CostResult[], { market }: CostResult): number {
  const economic = results.find((each) => each.market === market && rowName(each) === "economic");
  return economic?.bound ?? Number.NaN;
}

function thousands(tokens: number): string {
  return Math.round(tokens / 1_000).toLocaleString("en-US");
}

function grid(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("   ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
