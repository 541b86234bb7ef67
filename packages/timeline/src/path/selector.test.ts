import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expandRanges, formatRanges, formatSelector, parsePoolSelector, parseSelector } from "./selector.ts";

test.each([
  ["1", "1"],
  ["1,2", "1-2"],
  ["5,1-3", "1-3,5"],
  ["3-1", "1-3"],
  ["1:3", "1-3"],
  [" 1 - 2 ,\t5 ", "1-2,5"],
  ["1,1,1", "1"],
  ["1-5,3-7,9", "1-7,9"],
  ["007", "7"],
  ["0", "0"],
  ["1-10000", "1-10000"],
  ["1-10000,1-10000", "1-10000"],
  ["9007199254740991", "9007199254740991"],
])("%j is normalised to %j", (text, canonical) => {
  expect(formatRanges(parseSelector(text))).toBe(canonical);
});

test.each([
  "",
  " ",
  ",",
  "1,",
  ",1",
  "1-",
  "-1",
  "1--2",
  "1-2-3",
  "a",
  "1.5",
  "1 2",
  "1–3",
  "9007199254740993",
  "1e3",
  "٣",
])("%j is rejected as bad_selector", (text) => {
  expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: "bad_selector" }));
});

test.each([
  "1-10001",
  "10001-1",
  "1-10000,10001",
  "1-5000,6000-11000",
  "1-99999999999999999999",
  `1-${"9".repeat(5000)}`,
])("more than 10,000 ids are refused before they are expanded: %.30s", (text) => {
  expect(() => parseSelector(text)).toThrow(expect.objectContaining({ code: "selector_too_large" }));
});

test("so:sources_pool[…], sources_pool[…] and the bare selector are equal", () => {
  const expected = parseSelector("1-3");
  expect(parsePoolSelector("so:sources_pool[1-3]")).toEqual(expected);
  expect(parsePoolSelector(" sources_pool[ 3:1 ] ")).toEqual(expected);
  expect(parsePoolSelector("1-3")).toEqual(expected);
});

test.each([
  "so:1-3",
  "so:sources_pool",
  "so:sources_pool[1",
  "sources_pool1]",
  "sources_pool[]",
  "so:sources_pool[[1]]",
])("%j is not a selector of the pool", (text) => {
  expect(() => parsePoolSelector(text)).toThrow(expect.objectContaining({ code: "bad_selector" }));
});

test("formatted ids parse to the same ids, ascending and without repeats", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 300 }), { minLength: 1 }), (sids) => {
      const sorted = [...new Set(sids)].sort((a, b) => a - b);
      expect(expandRanges(parseSelector(formatSelector(sids)))).toEqual(sorted);
    }),
    { numRuns: runs },
  );
});

test("any text is a selector or a typed error", () => {
  const piece = fc.constantFrom("1", "22", "-", ":", ",", " ", "x", "[", "so:sources_pool[", "]", "99999999999");
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        const text = formatRanges(parsePoolSelector(pieces.join("")));
        expect(formatRanges(parsePoolSelector(text))).toBe(text);
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^(bad_selector|selector_too_large)$/) });
      }
    }),
    { numRuns: runs },
  );
});

test("no ids format to an empty text, and only whole ids are formatted", () => {
  expect(formatSelector([])).toBe("");
  for (const sid of [1.5, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => formatSelector([sid])).toThrow(expect.objectContaining({ code: "bad_selector" }));
});

test("parsing takes linear time, also for a part that almost matches", { retry: 4 }, () => {
  expect(growthOnDoubling((size) => "1,".repeat(size).concat("1"), parseSelector, 10_000)).toBeLessThan(3);
  const refused = (text: string) => expect(() => parseSelector(text)).toThrow();
  expect(growthOnDoubling((size) => `1${" ".repeat(size)}-${" ".repeat(size)}x`, refused, 200_000)).toBeLessThan(3);
});
