import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPool } from "../sources/pool.ts";
import { renderSources } from "../sources/render.ts";
import { type Folding, SourcesTail } from "./sources-tail.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

const row = fc.record({
  url: fc.nat({ max: 20 }).map((n) => `https://example.com/${n}`),
  title: fc.string({ maxLength: 20 }),
  text: fc.string({ maxLength: 40 }),
});
const step = fc.record({
  rows: fc.array(row, { maxLength: 4 }),
  pin: fc.nat({ max: 12 }),
  budget: fc.option(fc.nat({ max: 300 }), { nil: null }),
});

describe("the sources block of the tail", () => {
  test("equals a new rendering of the pool, whatever was merged, pinned and folded before", () => {
    const property = fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const pool = createPool();
      const tail = new SourcesTail(countTokens);
      const pins = new Set<number>();
      for (const { rows, pin, budget } of steps) {
        pool.merge(rows);
        pins.add(pin);
        const folding: Folding | null =
          budget === null ? null : { budgetTokens: budget, mostTokens: Number.POSITIVE_INFINITY, pinned: () => pins };
        const anew = renderSources(pool, {
          countTokens,
          ...(budget === null ? {} : { budgetTokens: budget, isPinned: (sid: number) => pins.has(sid) }),
        });
        expect(tail.text(pool, folding)).toBe(anew);
        expect(tail.text(pool, folding)).toBe(anew);
      }
    });
    fc.assert(property, { numRuns: runs });
  });

  test("shows rows that another writer stored out of order by SID, also after they change", () => {
    const pool = createPool([
      { sid: 7, url: "https://example.com/7", title: "Seven" },
      { sid: 2, url: "https://example.com/2", title: "Two" },
    ]);
    const tail = new SourcesTail(countTokens);
    expect(tail.text(pool, null)).toBe(renderSources(pool, { countTokens }));
    pool.merge([{ url: "https://example.com/2", title: "Two, at more length" }, { url: "https://example.com/9" }]);
    expect(tail.text(pool, null)).toBe(renderSources(pool, { countTokens }));
    expect(tail.text(pool, null)).toMatch(/Two, at more length.*Seven/s);
  });

  test("shows a different pool from its first row", () => {
    const tail = new SourcesTail(countTokens);
    const long = createPool([
      { sid: 1, title: "a" },
      { sid: 2, title: "b" },
    ]);
    const short = createPool([{ sid: 2, title: "c" }]);
    expect(tail.text(long, null)).toBe(renderSources(long, { countTokens }));
    expect(tail.text(short, null)).toBe(renderSources(short, { countTokens }));
    expect(tail.text(createPool(), null)).toBe("");
  });

  test("makes a line once per row, not once per render", () => {
    let counted = 0;
    const tail = new SourcesTail((text) => {
      counted++;
      return text.length;
    });
    const pool = createPool(Array.from({ length: 100 }, (_, at) => ({ sid: at + 1, title: `Row ${at}`, text: "x" })));
    tail.text(pool, null);
    counted = 0;
    tail.text(pool, null);
    pool.merge([{ url: "https://example.com/new", text: "y" }]);
    tail.text(pool, null);
    expect(counted).toBe(1);
  });
});
