import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromColumn, toColumn } from "./text-column.ts";

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
const nastyText = fc.string({ unit: fc.constantFrom("\uFFFF", "\uD800", "\uDC00", "d", "8", "0", "a") });

test("every string has a column value of its own that is well-formed and reads back", () => {
  fc.assert(
    fc.property(fc.oneof(anyText, nastyText), (text) => {
      const column = toColumn(text);
      expect(column.isWellFormed()).toBe(true);
      expect(fromColumn(column)).toBe(text);
    }),
    { numRuns: runs },
  );
});
