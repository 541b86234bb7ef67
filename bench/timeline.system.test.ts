import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { checkBars } from "./bars.ts";
import { expectReport } from "./expect-report.ts";
import type { Measurement } from "./measurement.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("timeline.ts", import.meta.url));

describe("bench:timeline --json", () => {
  let report: { results: Measurement[]; bars: { name: string; value: number; limit: number; ok: boolean }[] };

  beforeAll(async () => {
    const { stdout } = await run(process.execPath, ["--expose-gc", program, "--json", "--turns", "2,4"]);
    report = JSON.parse(stdout);
  });

  test("prints nothing but the results and the bars", () => {
    expectReport(report, 5);
  });

  test("measures everything at every length asked for, a positive number each", () => {
    const at = (turns: number) => report.results.filter((each) => each.turns === turns).map((each) => each.name);
    expect(at(2)).toEqual(at(4));
    expect(at(2)).toEqual(expect.arrayContaining(["append + render", "cold render", "load", "resolve, slowest path"]));
    for (const name of ["append + render", "cold render", "load", "messages() copied", "resolve, mean path"])
      for (const { value } of report.results.filter((each) => each.name === name)) expect(value).toBeGreaterThan(0);
  });

  test("puts JSON.stringify beside every time, speed and size", () => {
    const compared = report.results.filter((each) => each.unit !== "count");
    for (const { json_stringify } of compared) expect(json_stringify).toBeGreaterThan(0);
  });
});

describe("bars", () => {
  const at = (name: string, turns: number | null, value: number, json: number): Measurement => ({
    name,
    turns,
    value,
    unit: "us",
    json_stringify: json,
  });
  const results = (append: number, cold: number, resolve: number, stream: number) => [
    at("append + render", 100, 10, 1_000),
    at("append + render", 5_000, append, 1_000),
    at("cold render", 5_000, cold, 100),
    at("resolve, slowest path", 100, resolve, 1),
    at("citation stream, no tokens, pieces of 16", null, stream, 1),
  ];

  test("hold at their limit and fail past it; a speed has to be more than its limit", () => {
    expect(checkBars(results(10, 150, 50, 51), 100, 5_000).map((bar) => bar.ok)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(checkBars(results(16, 151, 51, 50), 100, 5_000).map((bar) => bar.ok)).toEqual(Array(5).fill(false));
  });
});
