import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RowHeights } from "./row-heights.ts";
import type { Row } from "./rows.ts";

const PENDING = { key: "", mode: "turn", message: "", attachments: [], ts: "" } as const;

const rowsFrom = (first: number, count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: "pending",
    key: `pending ${first + index}`,
    pending: PENDING,
  }));

const COUNT = 15;
/** The assumed height of a row that was never measured. */
const GUESS = 40;

test("a row starts where the measured and estimated heights before it end, in any order of measuring", () => {
  const measures = fc.array(fc.tuple(fc.nat(COUNT - 1), fc.integer({ min: 0, max: 900 })), { maxLength: 40 });
  fc.assert(
    fc.property(measures, fc.nat(COUNT), fc.nat(5), (measured, asked, older) => {
      const heights = new RowHeights();
      heights.take(rowsFrom(0, COUNT));
      const known = new Map<number, number>();
      for (const [row, height] of measured) {
        heights.measure(`pending ${row}`, height);
        known.set(row, height);
        heights.startOf(asked);
      }
      // Older rows are added above. The measured heights must stay with their rows.
      heights.take(rowsFrom(-older, COUNT + older));
      let start = 0;
      for (let row = -older; row < COUNT; row++) {
        const index = heights.indexOf(`pending ${row}`);
        expect(heights.startOf(index)).toBe(start);
        const height = known.get(row) ?? GUESS;
        if (height > 0) expect(heights.indexAt(start + height / 2)).toBe(index);
        start += height;
      }
      expect(heights.total).toBe(start);
    }),
    { numRuns: runs },
  );
});

test("beyond its ends a list gives its first and its last row", () => {
  const heights = new RowHeights();
  heights.take(rowsFrom(0, 3));
  expect([heights.indexAt(-1), heights.indexAt(0), heights.indexAt(1_000)]).toEqual([0, 0, 2]);
});
