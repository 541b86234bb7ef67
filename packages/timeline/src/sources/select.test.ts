import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSelector } from "../path/selector.ts";
import { createPool } from "./pool.ts";
import { selectSources } from "./select.ts";

const pool = createPool([1, 2, 3, 5, 7].map((sid) => ({ sid, source_type: "web", url: `https://e.com/${sid}` })));

test.each(["so:sources_pool[1-2, 5]", "sources_pool[5,2:1]", "1-2,5", "so:sources_pool[1-2,5]@v3"])(
  "%s selects rows 1, 2 and 5",
  (selector) => {
    expect(selectSources(pool, selector)).toEqual({ sids: [1, 2, 5], missing: [] });
  },
);

test("ids that do not exist are reported", () => {
  expect(selectSources(pool, "8,0,6-3")).toEqual({ sids: [3, 5], missing: [0, 4, 6, 8] });
});

test("errors are typed", () => {
  expect(() => selectSources(pool, "1-20000")).toThrow(expect.objectContaining({ code: "selector_too_large" }));
  for (const selector of ["", "x", "so:[1]"])
    expect(() => selectSources(pool, selector)).toThrow(expect.objectContaining({ code: "bad_selector" }));
});

test("every selected id is either found or missing", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat({ max: 50 }), { minLength: 1 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 50 })),
      (wanted, there) => {
        const { sids, missing } = selectSources(createPool(there.map((sid) => ({ sid }))), formatSelector(wanted));
        expect(formatSelector([...sids, ...missing])).toBe(formatSelector(wanted));
        expect(sids.every((sid) => there.includes(sid))).toBe(true);
        expect(missing.some((sid) => there.includes(sid))).toBe(false);
      },
    ),
    { numRuns: runs },
  );
});
