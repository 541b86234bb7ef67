import type { ModelMessage, RequestDetail } from "@cairn/api";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { makeMessage, makeRequest } from "../../../test/request-for-tests.ts";
import { compareRequests } from "./compare-requests.ts";

function detail(messages: readonly ModelMessage[], system = "You help.", tools = '["a"]'): RequestDetail {
  return {
    request: makeRequest(1),
    system: { text: system, tokens: 3 },
    tools: { json: tools, tokens: 2 },
    messages: messages.map((message, index) => ({ ...message, index })),
    unseen: [],
    answer: [],
    calls: [],
    window: null,
    verified: { ok: true, differences: [] },
    renderer_version: 1,
  };
}

/** A message rendered from the block at a position. */
const at = (position: number, text = `text ${position}`) => makeMessage(0, text, { positions: [position] });
const tail = (text: string) => makeMessage(0, text, { positions: [], paths: [], type: null, part: "tail" });
const kinds = (before: RequestDetail, after: RequestDetail) =>
  compareRequests(before, after).rows.map((row) => (row.kind === "same" ? `same ${row.count}` : row.kind));

test("a request that goes on from another shares all of it", () => {
  const [before, after] = [detail([at(0), at(1)]), detail([at(0), at(1), at(2)])];
  const found = compareRequests(before, after);
  expect(kinds(before, after)).toEqual(["same 4", "added"]);
  expect(found.shared).toEqual({ messages: 2, tokens: 25 });
  expect(found.firstDifference).toBeNull();
  expect(found.counts).toEqual({ changed: 0, removed: 0, added: 1 });
});

test("a changed block is one change, at its place", () => {
  const [before, after] = [detail([at(0), at(1), at(2)]), detail([at(0), at(1, "[TRUNCATED]"), at(2)])];
  const found = compareRequests(before, after);
  expect(kinds(before, after)).toEqual(["same 3", "changed", "same 1"]);
  expect(found.shared).toEqual({ messages: 1, tokens: 15 });
  expect(found.firstDifference).toMatchObject({ before: { text: "text 1" }, after: { text: "[TRUNCATED]" } });
});

test("a summary replaces the blocks that it covers", () => {
  const [before, after] = [detail([at(0), at(1), at(2)]), detail([at(9, "summary"), at(2)])];
  expect(kinds(before, after)).toEqual(["same 2", "added", "removed", "removed", "same 1"]);
});

test("the tail changes without breaking anything, and is recognised by its first line", () => {
  const before = detail([at(0), tail("[SOURCES]\none"), tail("[ANNOUNCE]\nat ten")]);
  const after = detail([at(0), at(1), tail("[ANNOUNCE]\nat eleven")]);
  expect(kinds(before, after)).toEqual(["same 3", "added", "removed", "changed"]);
  expect(compareRequests(before, after).firstDifference).toBeNull();
});

test("tools and system text are compared first", () => {
  const found = compareRequests(detail([at(0)]), detail([at(0)], "You help.", '["a","b"]'));
  expect(found.shared).toEqual({ messages: 0, tokens: 0 });
  expect(found.firstDifference).toMatchObject({ before: { part: "tools" }, after: { text: '[\n  "a",\n  "b"\n]' } });
});

test("every message of both is listed exactly once, and a request equals itself", () => {
  const messages = fc.uniqueArray(fc.record({ position: fc.nat(30), text: fc.constantFrom("x", "y") }), {
    selector: ({ position }) => position,
  });
  fc.assert(
    fc.property(messages, messages, (left, right) => {
      const make = (list: typeof left) => detail(list.map(({ position, text }) => at(position, text)));
      const { rows } = compareRequests(make(left), make(right));
      const count = (wanted: readonly string[]) =>
        rows.reduce((sum, row) => sum + (wanted.includes(row.kind) ? (row.kind === "same" ? row.count : 1) : 0), 0);
      expect(count(["same", "changed", "removed"])).toBe(left.length + 2);
      expect(count(["same", "changed", "added"])).toBe(right.length + 2);
      expect(kinds(make(left), make(left))).toEqual([`same ${left.length + 2}`]);
    }),
    { numRuns: runs },
  );
});
