import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CairnError } from "../base/error.ts";
import { applyPatch } from "./apply-patch.ts";

type Edit = { kind: " " | "-" | "+"; line: string };

/** Lines with their ends, as a diff compares them. */
const withEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** A shortest edit script by the longest common subsequence. */
function editsBetween(before: string[], after: string[]): Edit[] {
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number): number => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--) {
      const length =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      (common[row] as number[])[column] = length;
    }
  const edits: Edit[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      edits.push({ kind: " ", line: before[row++] ?? "" });
      column++;
    } else if (row < before.length && (column === after.length || at(row + 1, column) >= at(row, column + 1)))
      edits.push({ kind: "-", line: before[row++] ?? "" });
    else edits.push({ kind: "+", line: after[column++] ?? "" });
  }
  return edits;
}

function unifiedDiff(before: string, after: string, context: number): string {
  const edits = editsBetween(withEnds(before), withEnds(after));
  const shown = edits.map((_, index) =>
    edits.slice(Math.max(0, index - context), index + context + 1).some((edit) => edit.kind !== " "),
  );
  let diff = "--- a/file\n+++ b/file\n";
  let oldLine = 0;
  let newLine = 0;
  for (let index = 0; index < edits.length; ) {
    if (!shown[index]) {
      oldLine++;
      newLine++;
      index++;
      continue;
    }
    let end = index;
    while (shown[end]) end++;
    const hunk = edits.slice(index, end);
    const oldCount = hunk.filter((edit) => edit.kind !== "+").length;
    const newCount = hunk.filter((edit) => edit.kind !== "-").length;
    diff += `@@ -${oldCount === 0 ? oldLine : oldLine + 1},${oldCount} +${newCount === 0 ? newLine : newLine + 1},${newCount} @@\n`;
    for (const { kind, line } of hunk)
      diff += line.endsWith("\n") ? kind + line : `${kind}${line}\n\\ No newline at end of file\n`;
    oldLine += oldCount;
    newLine += newCount;
    index = end;
  }
  return diff;
}

const content = fc.constantFrom("", "a", "b", "- c", "-- d", "++ e", "@@ -1 +1 @@", " f", "\\ g");
const textOf = (end: string) =>
  fc
    .tuple(fc.array(content, { maxLength: 12 }), fc.boolean())
    .map(([all, ended]) => all.join(end) + (ended && all.length > 0 ? end : ""));
const pair = fc.constantFrom("\n", "\r\n").chain((end) => fc.tuple(textOf(end), textOf(end)));

describe("the law of patches", () => {
  test("a diff between two texts turns the first into the second", () => {
    fc.assert(
      fc.property(pair, fc.nat(3), ([before, after], context) => {
        fc.pre(before !== after);
        expect(applyPatch(before, unifiedDiff(before, after, context))).toBe(after);
      }),
      { numRuns: runs },
    );
  });

  test("the same diff without counts in its headers still applies", () => {
    fc.assert(
      fc.property(pair, fc.integer({ min: 1, max: 3 }), ([before, after], context) => {
        fc.pre(before !== after && !/(?:^|\n)(?:-- |\+\+ )/.test(before + after));
        fc.pre(
          withEnds(before).every((line) => line.trim() !== "") && withEnds(after).every((line) => line.trim() !== ""),
        );
        const diff = unifiedDiff(before, after, context).replace(
          /^@@ -(\d+),[1-9]\d* \+(\d+),\d+ @@$/gm,
          "@@ -$1,77 +$2 @@",
        );
        expect(applyPatch(before, diff)).toBe(after);
      }),
      { numRuns: runs },
    );
  });

  const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 20 });
  const named = (numbers: readonly number[], prefix: string): string =>
    numbers.map((number) => `${prefix} ${number}\n`).join("");

  test("lines that were added far away do not matter", () => {
    fc.assert(
      fc.property(distinct, distinct, fc.nat(40), fc.integer({ min: 1, max: 3 }), (first, second, drift, context) => {
        const before = named(first, "line");
        const after = named(second, "line");
        fc.pre(before !== after);
        const moved = named(
          Array.from({ length: drift }, (_, index) => index),
          "new",
        );
        const diff = unifiedDiff(before, after, context);
        // Leaves out hunks without old lines, which can be placed only by their line number.
        fc.pre(!/^@@ -\d+,0 /m.test(diff));
        expect(applyPatch(moved + before, diff)).toBe(moved + after);
      }),
      { numRuns: runs },
    );
  });

  test("any text and any patch give a text or a typed error", () => {
    const piece = fc.oneof(
      content,
      fc.constantFrom("@@ -1,2 +1,2 @@", "@@", "+x", "-a", " a", "\\ No newline", "```", "\r"),
      fc.string(),
    );
    const any = fc.array(piece).map((pieces) => pieces.join("\n"));
    fc.assert(
      fc.property(any, any, (text, patch) => {
        try {
          expect(typeof applyPatch(text, patch)).toBe("string");
        } catch (error) {
          expect(CairnError.is(error) && error.code).toBe("patch_failed");
        }
      }),
      { numRuns: runs },
    );
  });
});
