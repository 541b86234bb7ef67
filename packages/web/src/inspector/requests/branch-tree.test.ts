import { expect, test } from "vitest";
import { makeRequest } from "../../../test/request-for-tests.ts";
import { forksOf, treePaths, withoutRemoved } from "./branch-tree.ts";

const requests = [1, 2, 3, 4].map((n) => makeRequest(n, { turn_id: n < 3 ? "turn_a" : "turn_b" }));
const versions = [{ turn: 2, conversations: ["one", "two", "three"], current: 2 }];

test("a fork is at the first request of the turn that has several versions", () => {
  const turns = [
    { n: 1, turn_id: "turn_a" },
    { n: 2, turn_id: "turn_b" },
  ];
  expect(forksOf(requests, versions, turns)).toEqual([{ ...versions[0], index: 2 }]);
  expect(forksOf(requests, versions, [])).toEqual([{ ...versions[0], index: null }]);
});

test("every other version leaves the line after the last common request, and a thousand versions are drawn as a few lines", () => {
  const fork = { turn: 2, index: 2, conversations: ["one", "two", "three"], current: 2 };
  const { trunk, branches, ends } = treePaths([fork], 4, 316);
  expect(trunk).toBe("M8 5H308");
  expect(branches.match(/M108 5V/g)).toHaveLength(2);
  expect(ends.match(/M/g)).toHaveLength(2);
  const many = { ...fork, conversations: Array.from({ length: 1_000 }, (_, nth) => String(nth)) };
  expect(treePaths([many], 4, 316).branches.match(/M/g)).toHaveLength(4);
  expect(treePaths([{ ...fork, index: null }], 4, 316).branches).toBe("");
});

test("a deleted branch is left out, and a turn without another branch is no fork", () => {
  const fork = { turn: 2, index: 2, conversations: ["one", "two", "three"], current: 2 };
  expect(withoutRemoved(fork, new Set(["one", "three"]))).toEqual([
    { ...fork, conversations: ["two", "three"], current: 1 },
  ]);
  expect(withoutRemoved(fork, new Set(["one", "two"]))).toEqual([]);
});
