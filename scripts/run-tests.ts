/** Runs vitest and counts its tests from the JSON report, which is written beside the terminal's. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printHeading, projectRoot, runCommand } from "./run-command.ts";
import type { Tally } from "./tally.ts";
import { tallyReport } from "./vitest-report.ts";

export interface TestRun {
  /** Given to vitest as they are: file patterns, `-t name`. */
  readonly vitestArgs: readonly string[];
  readonly long: boolean;
  readonly coverage: boolean;
}

export function runTests({ vitestArgs, long, coverage }: TestRun): Tally {
  printHeading(long ? "tests, long" : "tests");
  const folder = mkdtempSync(join(tmpdir(), "cairn-tests-"));
  const reportFile = join(folder, "report.json");
  // A golden file that is missing or differs fails here; only `npm run golden` writes one.
  const args = ["run", "--update=none", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  if (coverage) args.push("--coverage");
  try {
    const succeeded = runCommand("vitest", [...args, ...vitestArgs], long ? { CAIRN_LONG: "1" } : {});
    const tally = readTally(reportFile);
    if (succeeded || tally.failures.length > 0) return tally;
    return { ...tally, failures: ["vitest: ended with an error outside any test, see above"] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTally(reportFile: string): Tally {
  try {
    return tallyReport(JSON.parse(readFileSync(reportFile, "utf8")), projectRoot);
  } catch (error) {
    return { passed: 0, failures: [`vitest: left no report (${error})`], skips: [] };
  }
}
