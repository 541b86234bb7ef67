import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shareOut } from "./share-out.ts";

it.each([
  [[10, 100, 100], 90, [10, 40, 40]],
  [[100], 30, [30]],
  [[5, 5], 100, [5, 5]],
  [[], 10, []],
  [[100, 100, 100], 2, [0, 1, 1]],
])("%j of %i is %j", (lengths, total, shares) => {
  expect(shareOut(lengths, total)).toEqual(shares);
});

it("gives no text more than its length, wastes no room, and gives a longer text at least as much as a shorter one", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { maxLength: 12 }), fc.nat(5_000), (lengths, total) => {
      const shares = shareOut(lengths, total);
      const given = shares.reduce((sum, share) => sum + share, 0);
      const wanted = lengths.reduce((sum, length) => sum + length, 0);
      expect(given).toBe(Math.min(total, wanted));
      for (const [a, lengthA] of lengths.entries()) {
        expect(shares[a]).toBeLessThanOrEqual(lengthA);
        for (const [b, lengthB] of lengths.entries())
          if (lengthA < lengthB) expect(shares[a] ?? 0).toBeLessThanOrEqual(shares[b] ?? 0);
      }
    }),
    { numRuns: runs },
  );
});
