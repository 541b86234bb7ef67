import { expect, it } from "vitest";
import { describeCall, describeParams } from "./describe-call.ts";

it("what a person approves is shown completely, one line each, with codes for characters that a terminal would hide", () => {
  const params = { file: "report\u202efdp.exe", code: "a\n\u001b[2Jb", deep: { n: [1] } };
  expect(describeParams(params)).toEqual({
    lines: [
      "  file: report\\u202efdp.exe",
      "  code: a",
      "    \\u001b[2Jb",
      "  deep: {",
      '      "n": [',
      "        1",
      "      ]",
      "    }",
    ],
    isShortened: false,
  });
  expect(describeCall("shop.order", params)).toContain("report\\u202efdp.exe");
});

it("a command inside an escape sequence is shown, because the shell would run it", () => {
  const params = { command: "ls \u001b];reboot;\u0007\t-l" };
  expect(describeParams(params).lines).toEqual(["  command: ls \\u001b];reboot;\\u0007\t-l"]);
  expect(describeCall("shell.run", params)).toContain(";reboot;");
});

it("a long parameter is shortened with its length, until the person asks for all of it", () => {
  const params = { program: "line\n".repeat(20), words: "é".repeat(1_000), short: "yes" };
  const { lines, isShortened } = describeParams(params);
  expect(isShortened).toBe(true);
  expect(lines).toHaveLength(8 + 1 + 1 + 1 + 1);
  expect(lines).toContain("    … (100 characters)");
  expect(lines).toContain("    … (1000 characters)");
  expect(describeParams(params, true)).toMatchObject({ isShortened: false });
  expect(describeParams(params, true).lines.join("")).toContain("é".repeat(1_000));
});
