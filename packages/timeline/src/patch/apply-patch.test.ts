import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, test } from "vitest";
import { CairnError } from "../base/error.ts";
import { applyPatch } from "./apply-patch.ts";

const joined = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");
const lines = (...texts: string[]): string => joined(texts);
const FILE = lines("one", "two", "three", "four", "five", "six", "seven", "eight");

function failure(text: string, patch: string): CairnError {
  try {
    applyPatch(text, patch);
  } catch (error) {
    if (CairnError.is(error)) return error;
    throw error;
  }
  throw new Error("the patch was expected to fail");
}

describe("replacing", () => {
  test.each([
    "",
    "new text",
    "--- a/x\n+++ b/x\n",
    "@@ -1 +1\n-a\n+b\n",
    " @@ -1 +1 @@\n",
    "@@@ -1 -1 +1 @@@\n",
    "```\ncode\n```\n",
  ])("%j is not a unified diff and replaces the file", (patch) => {
    expect(applyPatch(FILE, patch)).toBe(patch);
  });

  test("anything except two strings is refused", () => {
    expect(() => applyPatch(null as unknown as string, "x")).toThrow(CairnError);
    expect(() => applyPatch("x", {} as unknown as string)).toThrow(CairnError);
  });
});

describe("applying", () => {
  test.each<[string, string, string, string]>([
    ["one line is replaced", "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nB\nc\n"],
    ["counts left out are one", "a\n", "@@ -1 +1 @@\n-a\n+b\n", "b\n"],
    ["section text after the header is ignored", "a\n", "@@ -1 +1 @@ function x() {\n-a\n+b\n", "b\n"],
    [
      "file headers are ignored",
      "a\n",
      "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
      "b\n",
    ],
    ["an empty file is filled", "", "@@ -0,0 +1,3 @@\n+a\n+b\n+c\n", "a\nb\nc\n"],
    ["a file is emptied", "a\nb\n", "@@ -1,2 +0,0 @@\n-a\n-b\n", ""],
    ["lines are inserted by number alone", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", "a\nx\nb\n"],
    ["lines are inserted before the first", "a\n", "@@ -0,0 +1 @@\n+x\n", "x\na\n"],
    ["lines numbered past the end are appended", "a\n", "@@ -9,0 +10 @@\n+x\n", "a\nx\n"],
    ["an empty line in a hunk is an empty context line", "a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n", "a\n\nc\n"],
    [
      "a removed line that looks like a header is a removed line",
      "-- x\nb\n",
      "@@ -1,2 +1,2 @@\n--- x\n+++ y\n b\n",
      "++ y\nb\n",
    ],
    ["a patch without a last newline is whole", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c", "a\nc\n"],
    ["a hunk of context alone changes nothing", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n b\n", "a\nb\n"],
    ["a signature below the patch is ignored", "a\n", "@@ -1 +1 @@\n-a\n+b\n-- \n2.39.2\n", "b\n"],
    ["prose around the patch is ignored", "a\n", "Here it is:\n\n@@ -1 +1 @@\n-a\n+b\n\nThat is all.\n", "b\n"],
    [
      "Unicode and lone surrogates pass through",
      "é\ud800\n😀\n",
      "@@ -1,2 +1,2 @@\n é\ud800\n-😀\n+\udc00漢\n",
      "é\ud800\n\udc00漢\n",
    ],
    ["a lone carriage return is content", "a\rb\nc\n", "@@ -1,2 +1,2 @@\n a\rb\n-c\n+d\n", "a\rb\nd\n"],
  ])("%s", (_, text, patch, expected) => {
    expect(applyPatch(text, patch)).toBe(expected);
  });

  test("several hunks are applied in order", () => {
    const patch = "@@ -1,2 +1,3 @@\n one\n+one and a half\n two\n@@ -7,2 +8,1 @@\n seven\n-eight\n";
    expect(applyPatch(FILE, patch)).toBe(
      lines("one", "one and a half", "two", "three", "four", "five", "six", "seven"),
    );
  });

  test("a second pair of file headers between hunks ends the first hunk", () => {
    const patch = "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+1\n--- a\n+++ b\n@@ -2 +2 @@\n-two\n+2\n";
    expect(applyPatch(lines("one", "two"), patch)).toBe(lines("1", "2"));
  });

  test.each(["```diff\n", "```\n", "\n````diff\n", "~~~\n"])(
    "a fence %j around the whole patch is stripped",
    (open) => {
      const fence = open.trim().replace("diff", "");
      expect(applyPatch("a\nb\n", `${open}@@ -1,3 +1,3 @@\n a\n-b\n+c\n${fence}\n`)).toBe("a\nc\n");
    },
  );

  test.each([
    ["too low", "@@ -1,1 +1,1 @@"],
    ["too high", "@@ -1,9 +1,9 @@"],
    ["too low on one side", "@@ -1,3 +1,2 @@"],
    ["zero", "@@ -1,0 +1,0 @@"],
    ["absurd", `@@ -1,${"9".repeat(400)} +1,3 @@`],
  ])("counts that are %s are corrected", (_, header) => {
    expect(applyPatch(FILE, `${header}\n one\n-two\n+2\n three\n`)).toBe(FILE.replace("two", "2"));
    const more = `${header}\n one\n-two\n+2\n three\n\n@@ -7,1 +7,1 @@\n-seven\n+7\n`;
    expect(applyPatch(FILE, more)).toBe(FILE.replace("two", "2").replace("seven", "7"));
  });

  test("a later hunk without numbers is found after the one before", () => {
    const patch = "@@ -1 +1 @@\n-x\n+1\n@@\n-x\n+2\n@@ function @@\n-x\n+3\n";
    expect(applyPatch(lines("x", "x", "x"), patch)).toBe(lines("1", "2", "3"));
  });

  test("line numbers out of range are only a hint", () => {
    const far = "9".repeat(400);
    const patch = `@@ -${far},2 +1,2 @@\n one\n-two\n+2\n@@ -${far} +1 @@\n-eight\n+8\n`;
    expect(applyPatch(FILE, patch)).toBe(FILE.replace("two", "2").replace("eight", "8"));
  });
});

describe("line ends", () => {
  const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
  const patch = "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n";

  test("a CRLF file keeps its line ends, whatever the patch has", () => {
    expect(applyPatch("a\r\nb\r\nc\r\n", patch)).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect(applyPatch("a\r\nb\r\nc\r\n", crlf(patch))).toBe("a\r\nx\r\ny\r\nc\r\n");
  });

  test("an LF file keeps its line ends, whatever the patch has", () => {
    expect(applyPatch("a\nb\nc\n", crlf(patch))).toBe("a\nx\ny\nc\n");
  });

  test("a new file gets the line ends of the patch", () => {
    expect(applyPatch("", "@@ -0,0 +1,2 @@\r\n+a\r\n+b\r\n")).toBe("a\r\nb\r\n");
  });

  test("in a file with both, added lines get the line end of their neighbour", () => {
    expect(applyPatch("a\r\nb\nc\r\n", "@@ -1,3 +1,5 @@\n a\n+1\n b\n+2\n c\n")).toBe("a\r\n1\r\nb\n2\nc\r\n");
  });

  test("a patch that mixes both is applied as it is", () => {
    expect(applyPatch("a\nb\n", "@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n")).toBe("a\r\nb\n");
  });

  test.each<[string, string, string, string]>([
    ["kept off without a mark", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "a\nc"],
    ["kept off when lines are appended", "a\nb", "@@ -2 +2,2 @@\n b\n+c\n", "a\nb\nc"],
    [
      "kept off with the mark on both sides",
      "a\nb",
      "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
      "a\nc",
    ],
    [
      "kept on with the mark on both sides by mistake",
      "a\nb\n",
      "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n",
      "a\nc\n",
    ],
    ["added", "a\nb", "@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n", "a\nb\n"],
    ["removed", "a\nb\n", "@@ -2 +2 @@\n-b\n+b\n\\ No newline at end of file\n", "a\nb"],
    ["left out of a new file", "", "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n", "a"],
    ["left to the new last line", "a\nb", "@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n", "a\n"],
    ["not touched by a hunk elsewhere", "a\nb\nc", "@@ -1 +1 @@\n-a\n+x\n", "x\nb\nc"],
    ["that of the file when a CRLF file lacks it", "a\r\nb", "@@ -2 +2,2 @@\n b\n+c\n", "a\r\nb\r\nc"],
  ])("the last newline is %s", (_, text, diff, expected) => {
    expect(applyPatch(text, diff)).toBe(expected);
  });
});

describe("fuzzy context", () => {
  test("a hunk that moved is found, and the next is expected to have moved as far", () => {
    const text = lines("new", "new", "a", "x", "p", "x", "q", "x");
    expect(applyPatch(text, "@@ -1,2 +1,2 @@\n a\n-x\n+1\n@@ -6 +6 @@\n-x\n+2\n")).toBe(
      lines("new", "new", "a", "1", "p", "x", "q", "2"),
    );
  });

  test("the nearest of several places is chosen, and the later of two equally near", () => {
    const text = lines("x", "a", "b", "x", "c", "d", "x");
    expect(applyPatch(text, "@@ -5 +5 @@\n-x\n+y\n")).toBe(lines("x", "a", "b", "y", "c", "d", "x"));
    expect(applyPatch(lines("x", "a", "x"), "@@ -2 +2 @@\n-x\n+y\n")).toBe(lines("x", "a", "y"));
  });

  test("a hunk never overlaps an earlier one", () => {
    expect(failure(lines("a", "b"), "@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -1 +1 @@\n-a\n+x\n").details.hunk).toBe(2);
  });

  test.each([
    ["trailing spaces", "a  ", "b\t"],
    ["indentation", "\ta", "    b"],
    ["spaces inside", "a  =  1", "b"],
  ])("%s may differ, and the context keeps the file's spelling", (_, first, second) => {
    const bare = first.trim().replace(/\s+/g, " ");
    expect(applyPatch(lines(first, second, "c"), `@@ -1,3 +1,3 @@\n ${bare}\n-b\n+B\n c\n`)).toBe(
      lines(first, "B", "c"),
    );
  });

  test("an exact match is preferred to a nearer one that differs in white space", () => {
    expect(applyPatch(lines(" x", "a", "x"), "@@ -1 +1 @@\n-x\n+y\n")).toBe(lines(" x", "a", "y"));
  });

  test.each([
    ["the first", "?", "two", "three", "five", "six"],
    ["the last", "one", "two", "three", "five", "?"],
    ["the first two", "?", "?", "three", "five", "six"],
    ["two at either end", "?", "??", "three", "???", "????"],
  ])("%s context line may be wrong", (_, a, b, c, d, e) => {
    const patch = `@@ -1,6 +1,6 @@\n ${a}\n ${b}\n ${c}\n-four\n+4\n ${d}\n ${e}\n`;
    expect(applyPatch(FILE, patch)).toBe(FILE.replace("four", "4"));
  });

  test("a wrong third context line, a wrong removed line or only blank lines left do not match", () => {
    expect(failure(FILE, "@@ -1,4 +1,4 @@\n ?\n ?\n ?\n-four\n+4\n").code).toBe("patch_failed");
    expect(failure(FILE, "@@ -3,2 +3,2 @@\n three\n-4our\n+4\n").code).toBe("patch_failed");
    expect(failure("a\n\nb\n", "@@ -1,2 +1,3 @@\n ?\n \n+x\n").code).toBe("patch_failed");
  });
});

describe("failing", () => {
  test("the error names the hunk, its header and the first lines that did not match", () => {
    const patch = "@@ -1 +1 @@\n-one\n+1\n@@ -4,3 +4,3 @@ section\n four\n-fife\n-six\n+5\n";
    const error = failure(FILE, patch);
    expect(error.code).toBe("patch_failed");
    expect(error.details).toEqual({ hunk: 2, header: "@@ -4,3 +4,3 @@ section", expected: ["fife", "six"] });
    expect(error.message).toContain('line 5 is expected to be "fife" but is "five"');
  });

  test("the error says when the file ends too early", () => {
    expect(failure("a\n", "@@ -1,2 +1,1 @@\n a\n-b\n").message).toContain("the file ends before it");
    expect(failure("", "@@ -1 +1 @@\n-a\n+b\n").details.expected).toEqual(["a"]);
  });

  test("a hunk that cannot be read is named", () => {
    expect(failure("a\n", "@@ -1 +1 @@\n").details).toMatchObject({ hunk: 1, header: "@@ -1 +1 @@" });
    expect(failure("a\nb\n", "@@ -1,2 +1,2 @@\n a\nb\n+c\n").details.expected).toEqual(["b"]);
  });

  test("a line of a million characters does not fill the message", () => {
    expect(failure("x".repeat(1_000_000), `@@ -1 +1 @@\n-${"y".repeat(1_000_000)}\n+z\n`).message.length).toBeLessThan(
      1_000,
    );
  });
});

describe("growth", () => {
  const numbered = (size: number): string[] => Array.from({ length: size }, (_, index) => `line ${index}`);
  const hunksEvery = (step: number, size: number, shift: number): string => {
    const hunks: string[] = [];
    for (let at = step; at + 2 < size; at += step)
      hunks.push(
        `@@ -${at + shift},3 +${at + shift},3 @@\n line ${at - 1}\n-line ${at}\n+new ${at}\n line ${at + 1}\n`,
      );
    return hunks.join("");
  };

  test("a file of 100,000 lines takes 1,000 displaced hunks", () => {
    const text = joined(numbered(100_000));
    const patched = applyPatch(text, hunksEvery(100, 100_000, 37));
    expect(patched.split("\n").filter((line) => line.startsWith("new ")).length).toBe(999);
  });

  test("time grows linearly with file and hunks together", () => {
    const ratio = growthOnDoubling(
      (size) => ({ text: joined(numbered(size)), patch: hunksEvery(20, size, 5) }),
      ({ text, patch }) => applyPatch(text, patch),
      3_000,
    );
    expect(ratio).toBeLessThan(3.3);
  });

  test("time grows linearly on a repetitive file that almost matches everywhere", () => {
    const ratio = growthOnDoubling(
      (size) => ({
        text: joined(Array.from({ length: size }, (_, index) => (index % 500 === 499 ? "b" : "a"))),
        patch: `@@ -1 +1 @@\n${"-a\n".repeat(500)}+c\n`,
      }),
      ({ text, patch }) => expect(() => applyPatch(text, patch)).toThrow(),
      5_000,
    );
    expect(ratio).toBeLessThan(3.3);
  });

  test.each(["\n", " ", "@@", "@@ -1 +1 @@\n", "@@ -1 +1 @@\n-a\n", "\\\n", "-", "`"])(
    "time grows linearly on a patch of repeated %j",
    (unit) => {
      const ratio = growthOnDoubling(
        (size) => `@@ -1 +1 @@\n-a\n+b\n${unit.repeat(size)}`,
        (patch) => {
          try {
            applyPatch("a\n".repeat(10), patch);
          } catch (error) {
            expect(CairnError.is(error)).toBe(true);
          }
        },
        5_000,
      );
      expect(ratio).toBeLessThan(3.3);
    },
  );
});
