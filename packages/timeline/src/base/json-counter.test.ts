import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonCounter } from "./json-counter.ts";

const encoder = new TextEncoder();

/** Whether the counter accepts a text that arrives in chunks of these sizes. */
function isWithin(text: string, limits: { values: number; depth: number }, cuts: readonly number[] = []): boolean {
  const counter = new JsonCounter(limits);
  const bytes = encoder.encode(text);
  try {
    let at = 0;
    for (const cut of [...cuts, bytes.length]) {
      counter.add(bytes.subarray(at, at + cut));
      at = Math.min(bytes.length, at + cut);
    }
    return true;
  } catch {
    return false;
  }
}

const EVERY = Number.MAX_SAFE_INTEGER;

describe("JsonCounter", () => {
  it("counts the values of any JSON, however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.nat(20), { maxLength: 60 }), (value, cuts) => {
        const text = JSON.stringify(value);
        const { values, depth } = measure(value);
        expect(isWithin(text, { values, depth }, cuts)).toBe(true);
        if (values > 0) expect(isWithin(text, { values: values - 1, depth }, cuts)).toBe(false);
        if (depth > 0) expect(isWithin(text, { values, depth: depth - 1 }, cuts)).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  it("treats brackets, commas and escaped quotes in strings as text", () => {
    const text = JSON.stringify(['[[,{"\\', '\\\\"', '"']);
    for (let cut = 0; cut < text.length; cut++) expect(isWithin(text, { values: 3, depth: 1 }, [cut])).toBe(true);
  });

  it("takes time linear in the text, also for one string of escapes", () => {
    for (const piece of ["\\\\", '\\"', "x", '","']) {
      const count = (text: string) => isWithin(text, { values: EVERY, depth: 1 });
      expect(growthOnDoubling((size) => `["${piece.repeat(size)}"]`, count, 50_000)).toBeLessThan(3);
    }
  });
});

function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== "object" || value === null) return { values: 0, depth: 0 };
  const parts = Object.values(value).map(measure);
  return {
    values: 1 + Math.max(0, parts.length - 1) + parts.reduce((sum, each) => sum + each.values, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}
