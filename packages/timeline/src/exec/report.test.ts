import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../base/error.ts";
import { type ExecOutcome, execReport } from "./report.ts";

describe("execReport", () => {
  test("a run with one failure and one success is reported as specified", () => {
    const outcome = {
      runtime_error: { code: "execution_failed", message: "Missing output files: turn_1/files/report.xlsx" },
      files: [
        { path: "turn_1/files/report.xlsx", ok: false, error: "file not produced" },
        { path: "turn_1/files/summary.pdf", ok: true },
      ],
      log: "",
    };
    expect(execReport(outcome)).toBe(
      "Runtime error: execution_failed — Missing output files: turn_1/files/report.xlsx\nFile errors:\n" +
        "- turn_1/files/report.xlsx: file not produced\nSucceeded:\n- turn_1/files/summary.pdf",
    );
  });

  test.each<[string, ExecOutcome, string]>([
    ["nothing at all", {}, "Runtime error: none"],
    ["nulls", { runtime_error: null, files: null, log: null }, "Runtime error: none"],
    ["a blank log", { log: " \n\t" }, "Runtime error: none"],
    ["a log", { log: "hello\nworld" }, "Runtime error: none\nProgram log (tail):\nhello\nworld"],
    ["an error without a message", { runtime_error: { code: "timeout" } }, "Runtime error: timeout"],
    ["an error without a code", { runtime_error: { message: "no" } }, "Runtime error: execution_failed — no"],
    [
      "a failure without a reason",
      { files: [{ path: "a", ok: false }] },
      "Runtime error: none\nFile errors:\n- a: file not produced",
    ],
    [
      "a success with an error text",
      { files: [{ path: "a", ok: true, error: "x" }] },
      "Runtime error: none\nSucceeded:\n- a",
    ],
    [
      "an error text that imitates a section",
      { files: [{ path: "a\nb", ok: false, error: "x\r\nSucceeded:\n- c" }] },
      "Runtime error: none\nFile errors:\n- a b: x Succeeded: - c",
    ],
  ])("%s", (_, outcome, expected) => {
    expect(execReport(outcome)).toBe(expected);
  });

  test("the log is cut to its last 4,000 characters", () => {
    const report = execReport({ log: `x${"a".repeat(4_000)}` });
    expect(report).toBe(`Runtime error: none\nProgram log (tail):\n${"a".repeat(4_000)}`);
  });

  test("the cut never leaves half a character", () => {
    const tail = execReport({ log: `😀${"a".repeat(3_999)}` })
      .split("\n")
      .at(-1);
    expect(tail).toBe("a".repeat(3_999));
    expect(execReport({ log: `x😀${"a".repeat(3_998)}` }).endsWith(`\n😀${"a".repeat(3_998)}`)).toBe(true);
  });

  test.each<[string, unknown]>([
    ["no object", "x"],
    ["a list", []],
    ["null", null],
    ["a runtime_error that is a text", { runtime_error: "boom" }],
    ["a code that is a number", { runtime_error: { code: 1 } }],
    ["files that are no list", { files: {} }],
    ["a file that is null", { files: [null] }],
    ["a path that is a number", { files: [{ path: 1, ok: true }] }],
    ["an ok that is a text", { files: [{ path: "a", ok: "yes" }] }],
    ["an error that is an object", { files: [{ path: "a", ok: false, error: {} }] }],
    ["a log that is a list", { log: [] }],
  ])("%s is refused as bad_input", (_, outcome) => {
    expect(() => execReport(outcome as ExecOutcome)).toThrow(expect.objectContaining({ code: "bad_input" }));
  });

  test("any input gives a report or a typed error", () => {
    const record = fc.record(
      { runtime_error: fc.anything(), files: fc.anything(), log: fc.anything() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), record), (outcome) => {
        try {
          expect(execReport(outcome as ExecOutcome)).toMatch(/^Runtime error: /);
        } catch (error) {
          expect(CairnError.is(error)).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });
});
