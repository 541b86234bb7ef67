import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keepsSnapshot, needsSnapshot } from "./snapshot-rule.ts";

test("a snapshot is due when the tail passes 256 events and a quarter of the last one", () => {
  expect(needsSnapshot({ events: 256, chars: 1_000_000, snapshotChars: 0 })).toBe(false);
  expect(needsSnapshot({ events: 257, chars: 1, snapshotChars: 0 })).toBe(true);
  expect(needsSnapshot({ events: 257, chars: 100, snapshotChars: 400 })).toBe(false);
  expect(needsSnapshot({ events: 257, chars: 101, snapshotChars: 400 })).toBe(true);
});

test("about log2(n) snapshots stay, once dropped they stay dropped, and none is far from its neighbours", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), (newest) => {
      const kept = Array.from({ length: newest }, (_, i) => i + 1).filter((each) => keepsSnapshot(each, newest));
      expect(kept.at(-1)).toBe(newest);
      expect(kept.length).toBeLessThanOrEqual(2 * Math.log2(newest) + 3);
      for (const each of kept.slice(0, -1)) expect(keepsSnapshot(each, newest - 1)).toBe(true);
      for (const [index, each] of kept.entries()) {
        const before = kept[index - 1] ?? 0;
        expect(each - before).toBeLessThanOrEqual(Math.max(1, newest - before));
      }
    }),
    { numRuns: Math.min(runs, 1_000) },
  );
});
