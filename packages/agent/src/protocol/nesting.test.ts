import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nestingOf } from "./nesting.ts";

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe("nestingOf", () => {
  it("counts the levels of any JSON, and ignores brackets in strings and names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(nestingOf(JSON.stringify(value))).toBe(depthOf(value));
      }),
      { numRuns: runs },
    );
    expect(nestingOf('{"a[\\"[":"]{["}')).toBe(1);
  });

  it("counts nesting that is too deep for recursion", () => {
    expect(nestingOf("[".repeat(1_000_000))).toBe(1_000_000);
  });
});
