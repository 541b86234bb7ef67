/** Prints the figures as text: one row for each subject and measurement, one column for each length. */
import { grid, number } from "../table.ts";
import type { StoreResult } from "./store-result.ts";

export function printResults(results: readonly StoreResult[], sizes: readonly number[]): string {
  const rows = new Map<string, string[]>();
  for (const { subject, name, rounds, value, unit } of results) {
    const label = `${subject}: ${name} (${unit})`;
    const cells = rows.get(label) ?? sizes.map(() => "");
    cells[sizes.indexOf(rounds)] = number(value);
    rows.set(label, cells);
  }
  return grid([
    ["", ...sizes.map((rounds) => `${rounds} rounds`)],
    ...[...rows].map(([label, cells]) => [label, ...cells]),
  ]);
}
