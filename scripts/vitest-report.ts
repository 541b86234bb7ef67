/**
 * Counts the tests of vitest's JSON report. A file that could not be loaded, or whose hooks failed, has no failed test
 * of its own: it counts as one failure.
 */
import { relative } from "node:path";
import type { JsonTestResults } from "vitest/node";
import type { Durations } from "./durations.ts";
import type { Tally } from "./tally.ts";

export type VitestReport = Pick<JsonTestResults, "testResults">;

export function tallyReport(report: VitestReport, root: string): Tally {
  let passed = 0;
  const failures: string[] = [];
  const skips: string[] = [];
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name);
    const before = failures.length;
    for (const test of assertionResults) {
      if (test.status === "passed") passed++;
      else if (test.status === "failed") failures.push(`${file}: ${test.fullName}`);
      else skips.push(`${file}: ${test.fullName}`);
    }
    if (status === "failed" && failures.length === before) failures.push(`${file}: ${message.split("\n")[0]}`);
  }
  return { passed, failures, skips };
}

/** How long each file took, for the order of the next run. A file that failed to load has no useful time. */
export function durationsOf(report: VitestReport, root: string): Durations {
  const taken = report.testResults.filter(({ assertionResults }) => assertionResults.length > 0);
  return Object.fromEntries(
    taken.map(({ name, startTime, endTime }) => [relative(root, name), Math.round(endTime - startTime)]),
  );
}
