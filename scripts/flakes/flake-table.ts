/** The table that a hunt for flaky tests prints: those that failed most come first, then those that took longest. */
import type { FileRun } from "./flake-state.ts";

export function flakeTable(runs: readonly FileRun[]): string {
  const byFile = Map.groupBy(runs, ({ file }) => file);
  const rows = [...byFile].map(([file, its]) => {
    const times = its.map(({ ms }) => ms).sort((a, b) => a - b);
    return {
      file,
      runs: its.length,
      failures: its.filter(({ passed }) => !passed).length,
      slowest: times.at(-1) ?? 0,
      median: times[Math.floor(times.length / 2)] ?? 0,
    };
  });
  rows.sort((a, b) => b.failures - a.failures || b.slowest - a.slowest || a.file.localeCompare(b.file));
  const cells = rows.map(({ file, runs, failures, slowest, median }) => [
    ...[file, String(runs), String(failures)],
    ...[`${(slowest / 1_000).toFixed(1)} s`, `${(median / 1_000).toFixed(1)} s`],
  ]);
  const header = ["file", "runs", "failures", "slowest", "median"];
  const widths = header.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return [header, ...cells].map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}
