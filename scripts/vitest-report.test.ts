import { expect, test } from "vitest";
import { addTallies, closingLine, countSkipsAsFailures } from "./tally.ts";
import { durationsOf, tallyReport, type VitestReport } from "./vitest-report.ts";

type File = VitestReport["testResults"][number];
type TestStatus = File["assertionResults"][number]["status"];

function fileOf(name: string, statuses: readonly TestStatus[], message = ""): File {
  const failed = message !== "" || statuses.includes("failed");
  const assertionResults = statuses.map((status, index) => ({
    ancestorTitles: [],
    meta: {},
    tags: [],
    benchmarks: [],
    failureMessages: [],
    status,
    title: `${index}`,
    fullName: `rule ${index}`,
  }));
  return {
    name: `/p/${name}`,
    status: failed ? "failed" : "passed",
    message,
    assertionResults,
    startTime: 0,
    endTime: 0,
  };
}

test("tests are counted by outcome, and named from the project's root", () => {
  const report = { testResults: [fileOf("a.test.ts", ["passed", "failed", "skipped", "todo", "passed"])] };
  expect(tallyReport(report, "/p")).toEqual({
    passed: 2,
    failures: ["a.test.ts: rule 1"],
    skips: ["a.test.ts: rule 2", "a.test.ts: rule 3"],
  });
});

test("a file that could not be loaded is one failure", () => {
  const report = { testResults: [fileOf("a.test.ts", [], "Cannot find module\nstack")] };
  expect(tallyReport(report, "/p").failures).toEqual(["a.test.ts: Cannot find module"]);
});

test("a file whose hook failed is one failure beside the tests that passed", () => {
  const report = { testResults: [fileOf("a.test.ts", ["passed"], "afterAll failed")] };
  expect(tallyReport(report, "/p")).toEqual({ passed: 1, failures: ["a.test.ts: afterAll failed"], skips: [] });
});

test("the closing line names skips only when there are some", () => {
  expect(closingLine({ passed: 3, failures: [], skips: [] })).toBe("3 passed, 0 failed");
  expect(closingLine({ passed: 3, failures: ["a"], skips: ["b", "c"] })).toBe("3 passed, 1 failed, 2 skipped");
});

test("where everything must run, a skip is a failure", () => {
  const tally = addTallies({ passed: 1, failures: ["a"], skips: [] }, { passed: 2, failures: [], skips: ["b"] });
  expect(countSkipsAsFailures(tally)).toEqual({ passed: 3, failures: ["a", "skipped: b"], skips: [] });
});

test("the duration of a file is kept, unless it could not be loaded", () => {
  const ran = { ...fileOf("a.test.ts", ["passed"]), startTime: 1_000, endTime: 3_500.4 };
  expect(durationsOf({ testResults: [ran, fileOf("b.test.ts", [], "stack")] }, "/p")).toEqual({ "a.test.ts": 2_500 });
});
