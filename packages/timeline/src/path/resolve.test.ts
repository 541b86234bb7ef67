import { anyCharacter } from "@cairn/testkit/any-character";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CairnError } from "../base/error.ts";
import { parsePath } from "./parse.ts";
import { formatPath } from "./path.ts";
import { canonicalPath, resolvePath } from "./resolve.ts";

test.each([
  ["fi:turn_1.files/a/b.md", "turn_1/files/a/b.md"],
  ["fi:turn_1.user.attachments/my menu.v2.pdf", "turn_1/attachments/my menu.v2.pdf"],
  ["fi:turn_1.files/a.b/c d.md", "turn_1/files/a.b/c d.md"],
  ["fi:turn_1.files/code.x", "turn_1/files/code.x"],
  ["fi:turn_1.files/a..b/...", "turn_1/files/a..b/..."],
  ["fi:turn_1.files/%2e%2e/a", "turn_1/files/%2e%2e/a"],
  ["fi:turn_1.files/日本語 📄.md", "turn_1/files/日本語 📄.md"],
  ["fi:turn_1.files/turn_2/files/a", "turn_1/files/turn_2/files/a"],
  ["fi:timeline.json", "timeline.json"],
  ["fi:turn_1.code.x.md", "turn_1.code.x.md"],
  ["fi:turn_1.code.tc_1", null],
  ["ar:turn_1.user.prompt", null],
  ["ar:turn_1.user.prompt.2", null],
  ["ar:turn_1.assistant.completion", null],
  ["ar:turn_1.react.notes.tc_1", null],
  ["ar:turn_1.react.notice.3", null],
  ["ar:turn_1.react.plan.plan:turn_1:ab.cd", null],
  ["ar:turn_1.react.plan.ack.4", null],
  ["ar:turn_1.stage.gate", null],
  ["tc:turn_1.tc_1.call", null],
  ["tc:turn_1.tool_calls.result", null],
  ["tc:turn_1.tc_1.notice", null],
  ["so:sources_pool[1-3,5]", null],
  ["su:turn_1.conv.range.summary", null],
  ["sk:public.pdf-press", null],
  ["sk:@vendor/skill", null],
])("%s is canonical and its file is %s", (path, physical) => {
  expect(resolvePath(path)).toEqual({ logical: path, physical });
  expect(canonicalPath(path)).toBe(path);
});

test.each([
  ["tc:turn_1.tool_calls.abc.in.json", "tc:turn_1.abc.call"],
  ["tc:turn_1.tool_calls.abc.out.json", "tc:turn_1.abc.result"],
  ["tc:turn_1.tool_calls.abc.notice.json@v2", "tc:turn_1.abc.notice@v2"],
  ["so:sources_pool[ 5, 3:1 ]", "so:sources_pool[1-3,5]"],
  ["sources_pool[1,2]", "so:sources_pool[1-2]"],
  ["turn_1/files/a.md", "fi:turn_1.files/a.md"],
  ["turn_1/attachments/a.pdf", "fi:turn_1.user.attachments/a.pdf"],
  ["fi:turn_1/files/a.md", "fi:turn_1.files/a.md"],
  ["fi:turn_1/attachments/a.pdf", "fi:turn_1.user.attachments/a.pdf"],
  ["fi:turn_1.files/a//b/./c", "fi:turn_1.files/a/b/c"],
  ["fi:./turn_1.files/a", "fi:turn_1.files/a"],
])("%s is normalised to %s", (path, logical) => {
  expect(resolvePath(path).logical).toBe(logical);
  expect(canonicalPath(path)).toBe(logical);
});

test.each([
  ["fi:turn_1.files/a.md@v2", "turn_1/files/a.md"],
  ["fi:report@v1", "report"],
  ["ar:turn_1.user.prompt@v3", null],
  ["so:sources_pool[1]@v1", null],
  ["sk:pdf@v2", null],
])("a version stays in the logical path and never reaches the file: %s", (path, physical) => {
  expect(resolvePath(path)).toEqual({ logical: path, physical });
});

test("a suffix of a file name that is not a version is part of the name", () => {
  expect(resolvePath("fi:turn_1.files/a@v0").physical).toBe("turn_1/files/a@v0");
  expect(resolvePath("fi:turn_1.files/a@vx").physical).toBe("turn_1/files/a@vx");
});

test.each([
  "fi:turn_1.files/../../etc/passwd",
  "fi:turn_1.files/..",
  "fi:turn_1.files/..@v2",
  "fi:turn_1.files//etc/passwd",
  "fi:turn_1.user.attachments//etc/passwd",
  "fi:../x",
  "fi:/etc/passwd",
  "fi:a\\b",
  "fi:turn_1.files/a\0b",
  "fi:C:/x",
  "turn_1/files/../a",
  "/etc/passwd",
  "../a",
  "C:\\x",
  "ar:turn_1.react.plan.a/../b",
  "sk:../../x",
])("%j is rejected as unsafe_path", (path) => {
  expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: "unsafe_path" }));
  expect(canonicalPath(path)).toBeNull();
});

test.each([
  "",
  "a.md",
  "fi:",
  "fi:turn_1.files/",
  "fi:turn_1.files/a/",
  "fi:turn_1.files/@v2",
  "fi:turn_1.files/a@v1@v2",
  "FI:turn_1.files/a",
  "xx:turn_1.a",
  "turn_1/other/a",
  "turn_1.code.x",
  "ar:turn_1",
  "ar:turn_1.",
  "ar:user.prompt",
  "ar:turn_1.react.notes.",
  "ar:turn_1.react.notes.a b",
  "ar:turn_1.user.prompt@v0",
  "ar:turn_1.user.prompt@vx",
  "tc:turn_1.result",
  "tc:turn_1.abc",
  "tc:turn_1.abc.done",
  "tc:turn_1.abc.toString",
  "tc:turn_1.tool_calls.abc.json",
  "tc:turn_1.tool_calls..in.json",
  "so:sources_pool",
  "so:sources_pool[]",
  "so:other[1]",
  "su:turn_1.summary",
  "sk:",
  "sk:a@v0",
])("%j is rejected as bad_path", (path) => {
  expect(() => resolvePath(path)).toThrow(expect.objectContaining({ code: "bad_path" }));
  expect(canonicalPath(path)).toBeNull();
});

test("a path that is not text is rejected as bad_path", () => {
  for (const value of [null, undefined, 1, {}, ["fi:a"]])
    expect(() => resolvePath(value as never)).toThrow(expect.objectContaining({ code: "bad_path" }));
});

test("a selector over the limit gives the same error in a path", () => {
  expect(() => resolvePath("so:sources_pool[1-99999]")).toThrow(
    expect.objectContaining({ code: "selector_too_large" }),
  );
});

const piece = fc.constantFrom(
  ...["fi:", "ar:", "tc:", "so:", "su:", "sk:", "turn_1", "turn_2", "files", "user.attachments", "attachments", "code"],
  ...["/", "/", ".", ".", "..", "\\", "\0", "C:", "a", "b c", "é", "\ud800", "@v1", "@v0", "@v", "2", "%2e", "\n"],
  ...["react.notes.", "conv.range.summary", "sources_pool[", "]", "1-3", "tool_calls.", ".in.json", ".call"],
);
const anyPath = fc.oneof(
  fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join("")),
  fc.string({ unit: anyCharacter }),
);

/** Whether the path stays below a root to which it is joined, normalised by hand as a file system would. */
function staysInside(physical: string): boolean {
  if (physical === "" || physical.startsWith("/") || /[\\\0]/.test(physical)) return false;
  let depth = 0;
  for (const segment of physical.split("/")) {
    if (segment === "..") depth--;
    else if (segment !== "" && segment !== ".") depth++;
    if (depth < 0) return false;
  }
  return depth > 0;
}

test("any text resolves to a file inside OUT_DIR or a typed error, and its canonical spelling to the same", () => {
  fc.assert(
    fc.property(anyPath, (path) => {
      try {
        const resolved = resolvePath(path);
        if (resolved.physical !== null) expect(staysInside(resolved.physical)).toBe(true);
        expect(resolvePath(resolved.logical)).toEqual(resolved);
        expect(parsePath(formatPath(parsePath(path)))).toEqual(parsePath(path));
        expect(canonicalPath(path)).toBe(resolved.logical);
        if (resolved.physical?.match(/^turn_[\w-]+\/(files|attachments)\//))
          expect(resolvePath(resolved.physical).physical).toBe(resolved.physical);
      } catch (error) {
        if (!CairnError.is(error)) throw error;
        expect(["bad_path", "unsafe_path", "selector_too_large"]).toContain(error.code);
        expect(canonicalPath(path)).toBeNull();
      }
    }),
    { numRuns: runs },
  );
});

test.each(["a", "a/./", "@v1", "a."])("resolving many %j takes linear time", { retry: 4 }, (unit) => {
  const path = (characters: number) => `fi:turn_1.files/${unit.repeat(characters / unit.length)}`;
  expect(growthOnDoubling(path, canonicalPath, 300_000)).toBeLessThan(3);
});
