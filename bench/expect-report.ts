/** Checks the JSON of every benchmark: results and bars, and nothing else. */
import { expect } from "vitest";
import type { Bar } from "./bars.ts";

export function expectReport(report: { readonly bars: readonly Bar[] }, bars: number): void {
  expect(Object.keys(report)).toEqual(["results", "bars"]);
  expect(report.bars).toHaveLength(bars);
  for (const bar of report.bars)
    expect(bar).toEqual({
      name: expect.any(String),
      value: expect.any(Number),
      limit: expect.any(Number),
      ok: expect.any(Boolean),
    });
}
