/**
 * Prints the benchmark's figures as text: one row for each measurement, one column for each length, with
 * `JSON.stringify` beside each.
 */
import { type Bar, ofStringify } from "./bars.ts";
import type { Measurement } from "./measurement.ts";

export function printTable(results: readonly Measurement[], lengths: readonly number[]): string {
  const byLength = results.filter((each) => each.turns !== null);
  const names = [...new Set(byLength.map((each) => each.name))];
  const rows = names.map((name) => {
    const cells = lengths.map((turns) => byLength.find((each) => each.name === name && each.turns === turns));
    const shown = cells.map((cell) => (cell === undefined ? "" : withRatio(cell)));
    return [`${name} (${cells[0]?.unit ?? ""})`, ...shown];
  });
  const stringify = lengths.map((turns) => {
    const cell = byLength.find((each) => each.name === "cold render" && each.turns === turns);
    return cell === undefined ? "" : number(cell.json_stringify ?? 0);
  });
  const others = results.filter((each) => each.turns === null);
  return [
    grid([["", ...lengths.map((turns) => `${turns} turns`)], ["JSON.stringify (ms)", ...stringify], ...rows]),
    grid([
      ["", "MB/s", "JSON.stringify"],
      ...others.map((each) => [each.name, number(each.value), number(each.json_stringify ?? 0)]),
    ]),
  ].join("\n\n");
}

export function printBars(bars: readonly Bar[]): string {
  return grid([
    ["bar", "value", "limit", ""],
    ...bars.map(({ name, value, limit, ok }) => [name, number(value), number(limit), ok ? "ok" : "FAILED"]),
  ]);
}

/** Times are shown relative to `JSON.stringify`; sizes are shown alone. */
function withRatio(cell: Measurement): string {
  const isTime = cell.unit === "ms" || cell.unit === "us";
  return isTime && cell.json_stringify !== null
    ? `${number(cell.value)} = ${number(ofStringify(cell) * 100)} %`
    : number(cell.value);
}

export function number(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = value >= 100 ? 0 : value >= 1 ? 2 : 4;
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

export function grid(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("   ");
  return rows.map((row) => line(row).trimEnd()).join("\n");
}
