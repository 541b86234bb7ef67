import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { callOfPath, turnOfPath } from "./owner.ts";
import { readPath } from "./parse.ts";
import { canonicalPath } from "./resolve.ts";

test.each([
  ["tc:turn_1.tc_1.call", "tc_1"],
  ["tc:turn_1.tc_1.result@v2", "tc_1"],
  ["tc:turn_1.tool_calls.abc.out.json", "abc"],
  ["tc:turn_1.tool_calls.call", "tool_calls"],
  ["ar:turn_1.react.notes.tc_1", "tc_1"],
  ["ar:turn_1.react.notes.tc_1@v1", "tc_1"],
  ["fi:turn_1.code.tc_1", "tc_1"],
  ["ar:turn_1.user.prompt", null],
  ["fi:turn_1.files/code.x", null],
  ["fi:turn_1.code.x.md", null],
  ["tc:turn_1.tc_1.call@v1@v2", null],
  ["so:sources_pool[1]", null],
  ["tc:", null],
  ["", null],
])("the call of %s is %s", (path, call) => {
  expect(callOfPath(path)).toBe(call);
});

test.each([
  ["ar:turn_1.user.prompt", "turn_1"],
  ["fi:turn_1.files/a", "turn_1"],
  ["tc:turn_1.tool_calls.abc.out.json", "turn_1"],
  ["su:turn_1.conv.range.summary", "turn_1"],
  ["turn_1/files/a", "turn_1"],
  ["turn_1/attachments/a", "turn_1"],
  ["fi:timeline.json", null],
  ["fi:turn_1", null],
  ["sk:turn_1.x", null],
  ["so:sources_pool[1]", null],
  ["a.md", null],
])("the turn of %s is %s", (path, turn) => {
  expect(turnOfPath(path)).toBe(turn);
});

test("on canonical paths the call is the one the parser reads", () => {
  const piece = fc.constantFrom(
    ...["tc:", "ar:", "fi:", "turn_1", ".", "tool_calls", ".in.json", ".call", ".result", ".react.notes."],
    ...[".code.", "abc", "@v1", ".files/", "/"],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
      const path = canonicalPath(pieces.join(""));
      fc.pre(path !== null);
      const parsed = readPath(path);
      expect(callOfPath(path)).toBe("call" in parsed ? parsed.call : null);
    }),
    { numRuns: runs },
  );
});

test("finding the owner takes linear time", { retry: 4 }, () => {
  const ask = (path: string) => callOfPath(path) ?? turnOfPath(path);
  expect(growthOnDoubling((size) => `tc:turn_1.${"a".repeat(size)}.result`, ask, 500_000)).toBeLessThan(3);
});
