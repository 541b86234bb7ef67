import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { collapse, spellingOf } from "./safety.ts";

test.each(["..", "../a", "a/..", "a/../b", "a/..//b", "/a", "//a", "/", "a\\b", "..\\a", "a\0", "C:/x", "./C:/x"])(
  "%j is unsafe",
  (path) => {
    expect(spellingOf(path)).toBe("unsafe");
  },
);

test.each([
  "a..b",
  "...",
  "..a/b",
  "a/b..",
  "%2e%2e/a",
  "．．/a",
  "a: b",
  "C:x",
  "x:",
  "a/C:/x",
  "a\nb",
  "\ud800",
  "~/.ssh",
])("%j is an ordinary name", (path) => {
  expect(spellingOf(path)).toBe("clean");
});

test("`.` and empty segments are redundant inside a path and mean a folder at its end", () => {
  expect(["./a", "a//b", "a/./b"].map((path) => spellingOf(path))).toEqual(["loose", "loose", "loose"]);
  expect(["", ".", "a/", "a/.", "a//"].map((path) => spellingOf(path))).toEqual(Array(5).fill("folder"));
});

test("collapsing removes redundant segments from a path", () => {
  const segment = fc.constantFrom("", ".", "a", "..b", "c d", "é");
  fc.assert(
    fc.property(fc.array(segment), (segments) => {
      const path = segments.join("/");
      fc.pre(spellingOf(path) === "loose");
      expect(spellingOf(collapse(path))).toBe("clean");
    }),
    { numRuns: runs },
  );
});

test("checking a path takes linear time", { retry: 4 }, () => {
  const growth = growthOnDoubling(
    (size) => "a/./".repeat(size),
    (path) => collapse(path) + spellingOf(path),
    60_000,
  );
  expect(growth).toBeLessThan(3);
});
