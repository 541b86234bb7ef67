import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { OutputTail } from "./output-tail.ts";

it("the tail is the end of the output, however it was split, and begins with a whole character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.array(fc.nat(20)),
      fc.integer({ min: 4, max: 40 }),
      (text, cuts, keep) => {
        const bytes = Buffer.from(text);
        const tail = new OutputTail(keep);
        let at = 0;
        for (const cut of cuts) {
          tail.push(bytes.subarray(at, at + cut));
          at = Math.min(bytes.length, at + cut);
        }
        tail.push(bytes.subarray(at));
        const kept = tail.text();
        expect(tail.total).toBe(bytes.length);
        expect(text.endsWith(kept)).toBe(true);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(Math.min(bytes.length, keep) - 4);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(keep);
      },
    ),
    { numRuns: runs },
  );
});
