import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { Bar } from "./bars.ts";
import { expectReport } from "./expect-report.ts";
import { hasRivals } from "./rivals.ts";
import { checkStoreBars } from "./store/bars.ts";
import type { StoreResult } from "./store/store-result.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("store.ts", import.meta.url));

describe("bench:store --json", () => {
  let report: { results: StoreResult[]; bars: Bar[] };

  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [program, "--json", "--rounds", "4,9"]);
    report = JSON.parse(stdout);
  });

  test("prints nothing but the results and the bars", () => {
    expectReport(report, hasRivals() ? 6 : 4);
  });

  test("measures everyone at every length asked for", () => {
    const at = (rounds: number) =>
      report.results.filter((each) => each.rounds === rounds).map(({ subject, name }) => `${subject}: ${name}`);
    expect(at(4).sort()).toEqual(at(9).sort());
    expect(at(4)).toEqual(
      expect.arrayContaining([
        ...["append", "turn", "bytes per turn", "load", "findByPath", "search"].map((name) => `store: ${name}`),
        "store: follow, another connection",
        "bare INSERT: append",
        "whole file: bytes per turn",
        ...(hasRivals() ? ["exit", "sync", "window", "delta"] : []).flatMap((mode) => [
          `checkpointer ${mode}: turn`,
          `checkpointer ${mode}: bytes per turn`,
          `checkpointer ${mode}: load`,
        ]),
      ]),
    );
    for (const { value } of report.results.filter(({ name }) => !name.startsWith("follow")))
      expect(value).toBeGreaterThan(0);
  });
});

describe("bars", () => {
  const at = (subject: string, name: string, rounds: number, value: number): StoreResult => ({
    subject,
    name,
    rounds,
    value,
    unit: "ms",
  });
  const sizes = [10, 100, 1_000, 10_000];
  const results = (append: number, growth: number, load: number, bytes: number, time: number) => [
    ...sizes.flatMap((rounds) => [
      at("store", "append", rounds, append),
      at("bare INSERT", "append", rounds, 10),
      at("store", "turn", rounds, rounds === 10_000 ? growth : 10),
      at("store", "bytes per turn", rounds, rounds === 10_000 ? growth : 10),
      at("store", "load", rounds, rounds === 10_000 ? load : 10),
    ]),
    at("checkpointer exit", "bytes per turn", 1_000, bytes),
    at("checkpointer exit", "turn", 1_000, time),
  ];

  test("hold at their limit and fail past it", () => {
    expect(checkStoreBars(results(20, 13, 15, 100, 10), sizes).map((bar) => bar.ok)).toEqual(Array(6).fill(true));
    expect(checkStoreBars(results(21, 13.1, 16, 99, 9), sizes).map((bar) => bar.ok)).toEqual(Array(6).fill(false));
  });
});
