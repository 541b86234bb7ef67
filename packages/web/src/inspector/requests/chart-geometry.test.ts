import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRequest } from "../../../test/request-for-tests.ts";
import { breakOf } from "./cache-break.ts";
import { BAR_TRACK, CHART_HEIGHT, chartGeometry, INSET, indexAt, placeAt, SHARE_TRACK } from "./chart-geometry.ts";

test("requests stand under the slider's thumb, from its first place to its last", () => {
  expect(placeAt(0, 5, 416)).toBe(INSET);
  expect(placeAt(4, 5, 416)).toBe(416 - INSET);
  expect(placeAt(2, 5, 416)).toBe(208);
  expect(placeAt(0, 1, 416)).toBe(INSET);
});

test("a point leads to the request that stands there, and never beyond the ends", () => {
  const sizes = fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 300, max: 2_000 }));
  fc.assert(
    fc.property(sizes, fc.nat(), fc.integer({ min: -500, max: 3_000 }), ([count, width], at, x) => {
      const index = at % count;
      expect(indexAt(placeAt(index, count, width), count, width)).toBe(index);
      const found = indexAt(x, count, width);
      expect(found >= 0 && found < count).toBe(true);
    }),
    { numRuns: runs },
  );
});

/** Top and bottom of every bar in a path. */
function barsIn(path: string): { bottom: number; height: number }[] {
  return [...path.matchAll(/M\S+ (\S+)h\S+v(-[\d.]+)h/g)].map(([, bottom, height]) => ({
    bottom: Number(bottom),
    height: -Number(height),
  }));
}

test("the parts of a bar stand on each other and together are its size", () => {
  const large = { input_tokens: 100, cache_read_tokens: 200, cache_write_tokens: 300, output_tokens: 400 };
  const { bars, most } = chartGeometry([makeRequest(1, { usage: large }), makeRequest(2)], 400, "tokens");
  expect(most).toBe(1_000);
  const first = [bars.read, bars.written, bars.plain, bars.output].map((path) => barsIn(path)[0]);
  expect(first.map((part) => part?.height)).toEqual([11.2, 16.8, 5.6, 22.4]);
  expect(first[0]?.bottom).toBe(CHART_HEIGHT);
  for (const [below, above] of first.slice(1).map((part, at) => [first[at], part]))
    expect(above?.bottom).toBeCloseTo((below?.bottom ?? 0) - (below?.height ?? 0), 1);
  const sum = first.reduce((height, part) => height + (part?.height ?? 0), 0);
  expect(sum).toBeCloseTo(BAR_TRACK.height, 1);
});

test("the line is at the top when all was read, at the bottom when nothing was, and interrupted where it is unknown", () => {
  const all = { input_tokens: 0, cache_read_tokens: 50, cache_write_tokens: 0, output_tokens: 1 };
  const none = { ...all, cache_read_tokens: 0, input_tokens: 50 };
  const requests = [
    makeRequest(1, { usage: all }),
    makeRequest(2, { usage: none }),
    makeRequest(3, { is_billed: false }),
    makeRequest(4, { usage: all }),
  ];
  const { share } = chartGeometry(requests, 316, "tokens");
  expect(share.line).toBe(
    `M8 ${SHARE_TRACK.top}L108 ${SHARE_TRACK.top + SHARE_TRACK.height}M305 ${SHARE_TRACK.top}L311 ${SHARE_TRACK.top}`,
  );
});

test("a break has its kind: declared, not declared, cold, or read less than predicted", () => {
  const miss = { part: "block", index: 3, path: null, cause: "hide", declared: true, detail: "d" } as const;
  const requests = [
    makeRequest(1),
    makeRequest(2, { miss }),
    makeRequest(3, { miss: { ...miss, cause: "undeclared", declared: false } }),
    makeRequest(4, { cold: { cause: "expired", detail: "400 s went by" }, predicted_read: 0 }),
    makeRequest(5, { predicted_read: 90 }),
    makeRequest(6, { predicted_read: 90, is_billed: false }),
    makeRequest(7, { predicted_read: 81 }),
  ];
  expect(requests.map((request) => breakOf(request)?.kind ?? null)).toEqual([
    ...[null, "declared", "undeclared", "cold", "short", null, null],
  ]);
  const { marks } = chartGeometry(requests, 400, "tokens");
  for (const path of Object.values(marks)) expect(path.match(/M/g)).toHaveLength(1);
});

test("no requests, or requests of no size, are drawn as nothing", () => {
  expect(chartGeometry([], 400, "tokens")).toMatchObject({ most: 0, turns: "", share: { line: "", area: "" } });
  const usage = { input_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0, output_tokens: 0 };
  const { bars, share } = chartGeometry([makeRequest(1, { usage, cost: 0 })], 400, "cost");
  expect([...Object.values(bars), share.line].join("")).toBe("");
});

test("a break names every cause that coincides with the first", () => {
  const request = makeRequest(4, {
    cold: { cause: "model_changed", detail: "b cannot read the cache of a." },
    coincident: [{ cause: "expired", detail: "400 s passed." }],
  });
  expect(breakOf(request)).toMatchObject({
    title: "Another model was asked",
    also: [{ title: "The cache had expired", detail: "400 s passed." }],
  });
});
