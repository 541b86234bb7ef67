import { BLOCK_STATES } from "@cairn/api";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatRoute, parseRoute } from "../../route/route.ts";
import { addressOf, type InspectorPlace, NO_FILTERS, placeOf, routeTo } from "./place.ts";

test("an address leads to its place", () => {
  expect(placeOf([], "")).toEqual({ tab: "requests", n: null, compareWith: null });
  expect(placeOf(["requests", "7"], "")).toEqual({ tab: "requests", n: 7, compareWith: null });
  expect(placeOf(["requests", "7", "compare", "3"], "")).toEqual({ tab: "requests", n: 7, compareWith: 3 });
  expect(placeOf(["blocks"], "?turn=turn_1&state=pruned&state2=x")).toEqual({
    tab: "blocks",
    position: null,
    filters: { ...NO_FILTERS, turn: "turn_1", state: "pruned" },
  });
  expect(placeOf(["files", "turn_1", "files", "a.md"], "?v=2")).toEqual({
    tab: "files",
    path: "turn_1/files/a.md",
    version: 2,
  });
  expect(placeOf(["path", "fi:turn_1.files", "a.md"], "")).toEqual({ tab: "path", path: "fi:turn_1.files/a.md" });
});

test("an invalid address leads nowhere", () => {
  for (const rest of [["elsewhere"], ["requests", "x"], ["requests", "0"], ["requests", "1", "with", "2"], ["path"]])
    expect(placeOf(rest, "")).toBeNull();
  expect(placeOf(["blocks", "-1"], "")).toBeNull();
  expect(placeOf(["blocks"], "?state=other")).toMatchObject({ filters: { state: "" } });
});

test("every place is found again by its address", () => {
  const count = fc.integer({ min: 1, max: 1e9 });
  const word = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text.isWellFormed());
  const path = fc.array(
    word.filter((text) => !text.includes("/") && !/^\.{1,2}$/.test(text)),
    { minLength: 1, maxLength: 3 },
  );
  const place = fc.oneof(
    fc
      .tuple(fc.option(count), fc.option(count))
      .map(([n, m]): InspectorPlace => ({ tab: "requests", n, compareWith: n === null ? null : m })),
    fc
      .record({
        type: word,
        turn: word,
        q: word,
        state: fc.constantFrom("" as const, ...BLOCK_STATES),
        order: fc.constantFrom("oldest" as const, "newest" as const),
      })
      .map((filters): InspectorPlace => ({ tab: "blocks", position: 3, filters })),
    path.map((parts): InspectorPlace => ({ tab: "path", path: parts.join("/") })),
    fc.option(count).map((sid): InspectorPlace => ({ tab: "sources", sid })),
    fc
      .tuple(path, fc.option(count))
      .map(([parts, version]): InspectorPlace => ({ tab: "files", path: parts.join("/"), version })),
  );
  fc.assert(
    fc.property(place, (there) => {
      const { rest, search } = addressOf(there);
      expect(placeOf(rest, search)).toEqual(there);
      const route = parseRoute(new URL(formatRoute(routeTo("c", there)), "http://cairn.test"));
      expect(route.page === "inspect" ? placeOf(route.rest, route.search) : route).toEqual(there);
    }),
    { numRuns: runs },
  );
});
