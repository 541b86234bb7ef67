import type { RequestDetail, UnseenBlock } from "@cairn/api";
import { expect, test } from "vitest";
import { makeMessage, makeRequest } from "../../../test/request-for-tests.ts";
import { glimpse } from "../parts/glimpse.ts";
import { contextRows, filterRows } from "./context-rows.ts";

const unseen: UnseenBlock = {
  before: 1,
  position: 9,
  path: "tc:turn_1.a.result",
  type: "react.tool.result",
  turn_id: "turn_1",
  tokens: 4,
  state: "hidden",
  by: "agent",
  original_text: "The hidden heron",
};

const detail: RequestDetail = {
  request: makeRequest(1),
  system: { text: "You help.", tokens: 3 },
  tools: { json: "[]", tokens: 1 },
  messages: [
    makeMessage(0, "alpha", { checkpoint: true }),
    makeMessage(1, "beta", {
      overlay: { state: "pruned", by: "ttl", path: "p", original_text: "The whole of Beta" },
      cache: "written",
      checkpoint: true,
    }),
    makeMessage(2, "announcement", { part: "tail", cache: "none", positions: [], paths: [], type: null }),
  ],
  unseen: [unseen, { ...unseen, before: 7 }],
  answer: [],
  calls: [],
  window: null,
  verified: { ok: true, differences: [] },
  renderer_version: 1,
};

test("a request is shown in the order of the model's input, with lines for what the model did not see", () => {
  expect(contextRows(detail).map(({ key }) => key)).toEqual([
    ...["tools", "system", "message 0", "checkpoint 0", "unseen 1", "message 1", "checkpoint 1", "tail", "message 2"],
    "unseen 7",
  ]);
});

test("words are found in what is shown and in what is covered", () => {
  const found = (words: string) => filterRows(contextRows(detail), "all", words).map(({ key }) => key);
  expect(found("ALPHA")).toEqual(["message 0"]);
  expect(found("whole of")).toEqual(["message 1"]);
  expect(found("heron")).toEqual(["unseen 1", "unseen 7"]);
  expect(found("you help")).toEqual(["system"]);
  expect(found("nothing of the kind")).toEqual([]);
});

test("a filter leaves only the rows that it names", () => {
  const left = (filter: "covered" | "written" | "none") =>
    filterRows(contextRows(detail), filter, "").map(({ key }) => key);
  expect(left("covered")).toEqual(["unseen 1", "message 1", "unseen 7"]);
  expect(left("written")).toEqual(["message 1"]);
  expect(left("none")).toEqual(["message 2"]);
  expect(filterRows(contextRows(detail), "all", "")).toHaveLength(10);
});

test("an excerpt shows the place of the searched words", () => {
  const text = `${"before ".repeat(100)}heron${" after".repeat(100)}`;
  expect(glimpse(text, "")).toBe(text.slice(0, 400));
  expect(glimpse(text, "HERON")).toContain("heron after");
  expect(glimpse("short", "absent")).toBe("short");
});
