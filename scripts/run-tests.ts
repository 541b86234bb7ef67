/** Runs vitest and counts its tests from the JSON report, which is written beside the terminal's. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { saveDurations } from "./durations.ts";
import { printHeading, projectRoot, startCommand } from "./run-command.ts";
import { ScratchFolder } from "./scratch-folder.ts";
import type { Tally } from "./tally.ts";
import { durationsOf, tallyReport, type VitestReport } from "./vitest-report.ts";

export interface TestRun {
  /** Arguments that vitest gets as they are: file patterns, `-t name`. */
  readonly vitestArgs: readonly string[];
  readonly size: TestSize;
  readonly coverage: boolean;
}

/** `quick` runs the unit tests alone, with fewer runs of each property; `long` everything with many more. */
type TestSize = "quick" | "usual" | "long";

const ENV: Readonly<Record<TestSize, Readonly<Record<string, string>>>> = {
  quick: { CAIRN_QUICK: "1" },
  usual: {},
  long: { CAIRN_LONG: "1" },
};

export async function runTests({ vitestArgs, size, coverage }: TestRun): Promise<Tally> {
  printHeading(size === "usual" ? "tests" : `tests, ${size}`);
  using scratch = new ScratchFolder();
  const reportFile = join(scratch.path, "report.json");
  // A missing or different golden file is a failure, because only `npm run golden` may write golden files.
  const args = ["run", "--update=none", "--reporter=json", `--outputFile.json=${reportFile}`];
  // A run of named files lists their tests; a whole run has thousands.
  args.push(`--reporter=${vitestArgs.length > 0 ? "default" : join(projectRoot, "scripts", "package-reporter.ts")}`);
  if (size === "quick") args.push("--project=unit");
  if (coverage) args.push("--coverage");
  const env = { ...ENV[size], CAIRN_SCRATCH: scratch.path };
  const succeeded = await startCommand("vitest", [...args, ...vitestArgs], env);
  const tally = readTally(reportFile, size);
  if (succeeded || tally.failures.length > 0) return tally;
  return { ...tally, failures: ["vitest: ended with an error outside any test, see above"] };
}

function readTally(reportFile: string, size: TestSize): Tally {
  try {
    const report: VitestReport = JSON.parse(readFileSync(reportFile, "utf8"));
    if (size === "usual") saveDurations(durationsOf(report, projectRoot));
    return tallyReport(report, projectRoot);
  } catch (error) {
    return { passed: 0, failures: [`vitest: left no report (${error})`], skips: [] };
  }
}
