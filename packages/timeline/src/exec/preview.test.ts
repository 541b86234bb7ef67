import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PREVIEW_BYTES, previewText } from "./preview.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe("previewText", () => {
  test("a text of exactly the limit stays whole, and one byte more is cut", () => {
    const full = "a".repeat(PREVIEW_BYTES);
    expect(previewText(full)).toBe(full);
    expect(previewText(`${full}b`)).toBe(`${full}...[truncated]`);
  });

  test.each([
    ["é", 1, "...[truncated]"],
    ["aé", 2, "a...[truncated]"],
    ["a漢", 3, "a...[truncated]"],
    ["a😀", 4, "a...[truncated]"],
    ["a😀", 5, "a😀"],
    ["", 0, ""],
  ])("%j within %d bytes is %j", (text, limit, expected) => {
    expect(previewText(text, limit)).toBe(expected);
  });

  test("a preview is the longest prefix of whole characters that fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(40), (text, limit) => {
        const preview = previewText(text, limit);
        if (bytesOf(text) <= limit) {
          expect(preview).toBe(text);
          return;
        }
        const kept = preview.slice(0, -"...[truncated]".length);
        const next = String.fromCodePoint(text.codePointAt(kept.length) ?? 0);
        expect(text.startsWith(kept)).toBe(true);
        expect(bytesOf(kept)).toBeLessThanOrEqual(limit);
        expect(bytesOf(kept + next)).toBeGreaterThan(limit);
      }),
      { numRuns: runs },
    );
  });

  test("anything except a text and a number is refused", () => {
    expect(() => previewText(5 as unknown as string)).toThrow(expect.objectContaining({ code: "bad_input" }));
    expect(() => previewText("a", Number.NaN)).toThrow(expect.objectContaining({ code: "bad_input" }));
  });
});
