import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatRoute, parseRoute, type Route } from "./route.ts";

const at = (address: string) => parseRoute(new URL(address, "http://cairn.test"));

test("an address leads to its place", () => {
  expect(at("/")).toEqual({ page: "new" });
  expect(at("/c/abc")).toEqual({ page: "chat", conversationId: "abc" });
  expect(at("/c/abc#turn_1")).toEqual({ page: "chat", conversationId: "abc", turnId: "turn_1" });
  expect(at("/c/abc/inspect/requests/3?tab=b")).toEqual({
    page: "inspect",
    conversationId: "abc",
    rest: ["requests", "3"],
    search: "?tab=b",
  });
  expect(at("/elsewhere")).toEqual({ page: "unknown" });
  expect(at("/c/abc/other")).toEqual({ page: "unknown" });
});

test("an address that cannot be decoded causes no error", () => {
  expect(at("/c/%E0%A4%A")).toMatchObject({ page: "chat" });
});

test("every place is found again by its address", () => {
  const id = fc
    .string({ minLength: 1, unit: "grapheme" })
    .filter((text) => !/^\.{1,2}$/.test(text) && text.isWellFormed());
  const route = fc.oneof(
    id.map((conversationId): Route => ({ page: "chat", conversationId })),
    fc.tuple(id, id).map(([conversationId, turnId]): Route => ({ page: "chat", conversationId, turnId })),
    fc
      .tuple(id, fc.array(id))
      .map(([conversationId, rest]): Route => ({ page: "inspect", conversationId, rest, search: "" })),
  );
  fc.assert(
    fc.property(route, (place) => {
      expect(at(formatRoute(place))).toEqual(place);
    }),
    { numRuns: runs },
  );
});
