import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Shares, shareCap } from "./shares.ts";

const tokens = fc.nat({ max: 5_000 });
const wants = fc.record({ directives: tokens, prose: tokens, paths: tokens });
const sum = ({ directives, prose, paths }: Shares) => directives + prose + paths;

describe("the shares of a summary", () => {
  it("never exceed the cap, give no part more than it needs, and leave nothing while a part needs more", () => {
    fc.assert(
      fc.property(tokens, wants, (cap, wanted) => {
        const given = shareCap(cap, wanted);
        expect(sum(given)).toBe(Math.min(cap, sum(wanted)));
        for (const part of ["directives", "prose", "paths"] as const)
          expect(given[part]).toBeLessThanOrEqual(wanted[part]);
      }),
      { numRuns: runs },
    );
  });

  it("give directives a fifth, prose a third and paths the rest, whatever the others need", () => {
    fc.assert(
      fc.property(tokens, wants, (cap, wanted) => {
        const given = shareCap(cap, wanted);
        const [fifth, third] = [Math.floor(cap / 5), Math.floor(cap / 3)];
        expect(given.directives).toBeGreaterThanOrEqual(Math.min(wanted.directives, fifth));
        expect(given.prose).toBeGreaterThanOrEqual(Math.min(wanted.prose, third));
        expect(given.paths).toBeGreaterThanOrEqual(Math.min(wanted.paths, cap - fifth - third));
      }),
      { numRuns: runs },
    );
  });

  it("give the room that prose leaves to directives first", () => {
    const much = { directives: 1_000, paths: 1_000 };
    expect(shareCap(150, { ...much, prose: 0 })).toEqual({ directives: 80, prose: 0, paths: 70 });
    expect(shareCap(150, { ...much, prose: 40 })).toEqual({ directives: 40, prose: 40, paths: 70 });
    expect(shareCap(150, { ...much, prose: 1_000 })).toEqual({ directives: 30, prose: 50, paths: 70 });
  });
});
