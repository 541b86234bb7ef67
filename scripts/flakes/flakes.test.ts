import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FlakeState, filesLeft } from "./flake-state.ts";
import { flakeTable } from "./flake-table.ts";

const hunt = { load: 2, files: ["a.test.ts", "b.test.ts"] };
const run = (round: number, file: string, passed = true, ms = 1_000) => ({ round, file, passed, ms });

describe("a hunt for flaky tests", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cairn-flakes-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("goes on with the files that its last round did not run", () => {
    new FlakeState(folder).begin(hunt);
    const state = new FlakeState(folder);
    for (const done of [run(1, "a.test.ts"), run(1, "b.test.ts"), run(2, "b.test.ts")]) state.record(done);
    const runs = new FlakeState(folder).resume(hunt) ?? [];
    expect([1, 2, 3].map((round) => filesLeft(hunt, runs, round))).toEqual([[], ["a.test.ts"], hunt.files]);
  });

  it("leaves out a line that was cut short", () => {
    const state = new FlakeState(folder);
    state.begin(hunt);
    state.record(run(1, "a.test.ts"));
    appendFileSync(join(folder, "flakes.jsonl"), '{"round":1,"file":"b.te');
    expect(state.resume(hunt)).toEqual([run(1, "a.test.ts")]);
  });

  it("does not go on with a hunt for other files, or beside another load", () => {
    const state = new FlakeState(folder);
    expect(state.resume(hunt)).toBeNull();
    state.begin(hunt);
    expect(state.resume({ ...hunt, load: 3 })).toBeNull();
    expect(state.resume({ ...hunt, files: ["a.test.ts"] })).toBeNull();
  });

  it("lists those that failed most first, with their runs, their slowest and their median time", () => {
    const runs = [
      ...[run(1, "a.test.ts", true, 9_000), run(2, "a.test.ts", true, 1_000), run(3, "a.test.ts", true, 2_000)],
      ...[run(1, "long/b.test.ts", false, 500), run(2, "long/b.test.ts")],
    ];
    expect(flakeTable(runs)).toBe(
      [
        "file            runs  failures  slowest  median",
        "long/b.test.ts     2         1    1.0 s   1.0 s",
        "a.test.ts          3         0    9.0 s   2.0 s",
      ].join("\n"),
    );
  });
});
