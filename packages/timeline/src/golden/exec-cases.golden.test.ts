/** Programs that failed or missed files of their contract: the report names failures, and written files are shown. */
import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import { type ExecOutcome, execReport } from "../exec/report.ts";
import { printView } from "../../test/print-view.ts";

const turn = "turn_1";
const at = { turn, call: "tc_exec", iteration: 0 };
const contract = [`${turn}/files/report.xlsx`, `${turn}/files/summary.pdf`];
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const sheet = { name: "report.xlsx", mime: XLSX, extra: { size_bytes: 8_192 } };
const summary = { name: "summary.pdf", mime: "application/pdf", base64: "JVBERi0=", extra: { size_bytes: 45_921 } };

function run(outcome: ExecOutcome, files: readonly make.FileFields[]): string {
  const blocks = [
    make.header(turn),
    make.prompt(turn, "Make the report."),
    make.notes(at, "Running the program."),
    make.code(at, "build(report, summary)"),
    make.call(at, "exec_tools.execute_code_python", { prog_name: "report", contract }),
    make.result(at, execReport(outcome), "text/markdown"),
    ...files.flatMap((file) => make.file(at, file)),
  ];
  return printView({ blocks });
}

it("case A: every file was made although the program failed", async () => {
  const outcome = {
    runtime_error: { code: "execution_failed", message: "ZeroDivisionError: division by zero" },
    files: contract.map((path) => ({ path, ok: true })),
    log: 'Traceback (most recent call last):\n  File "main.py", line 12\nZeroDivisionError: division by zero\n',
  };
  await expect(run(outcome, [sheet, summary])).toMatchFileSnapshot("./exec-case-a.txt");
});

it("case B: a file is missing although the program succeeded", async () => {
  const outcome = {
    runtime_error: null,
    files: [
      { path: `${turn}/files/report.xlsx`, ok: false, error: "file not produced" },
      { path: `${turn}/files/summary.pdf`, ok: true },
    ],
  };
  await expect(run(outcome, [summary])).toMatchFileSnapshot("./exec-case-b.txt");
});

it("case C: a file is missing and the program failed", async () => {
  const outcome = {
    runtime_error: { code: "execution_failed", message: `Missing output files: ${turn}/files/report.xlsx` },
    files: [
      { path: `${turn}/files/report.xlsx`, ok: false, error: "file not produced" },
      { path: `${turn}/files/summary.pdf`, ok: true },
    ],
    log: "",
  };
  await expect(run(outcome, [summary])).toMatchFileSnapshot("./exec-case-c.txt");
});
