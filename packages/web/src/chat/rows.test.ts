import type { RoundView, TurnView } from "@cairn/timeline";
import { expect, test } from "vitest";
import { rowsOf } from "./rows.ts";

const round = (call_id: string, more: Partial<RoundView> = {}): RoundView => ({
  call_id,
  tool_id: "react.read",
  traits: {},
  params: {},
  status: "ok",
  notes: null,
  sources_known: 0,
  code: null,
  started_at: "2026-02-09T10:00:05Z",
  settled_at: null,
  results: [],
  error: null,
  files: [],
  outcome: null,
  ...more,
});

const turn = (turn_id: string, more: Partial<TurnView> = {}): TurnView => ({
  turn_id,
  n: 1,
  opened_seq: 1,
  opened_at: null,
  closed_at: "2026-02-09T10:01:00Z",
  exit: "complete",
  error: null,
  prompt: { text: "Hello", ts: null },
  attachments: [],
  inputs: [],
  rounds: [],
  plan: null,
  files: [],
  completion: { text: "Hi", path: null, position: 3, sources_known: 0, interrupted: false, clarification: false },
  followups: [],
  feedback: [],
  notices: [],
  compacted: false,
  compactions: [],
  ...more,
});

const none = { pending: [], outgoing: [], folds: new Map<string, boolean>() };
const kinds = (view: TurnView, folds = none.folds) => rowsOf({ ...none, turns: [view], folds }).map(({ kind }) => kind);

test("rounds fold when the answer is complete, and open when the user asks", () => {
  const done = turn("t", { rounds: [round("a"), round("b")] });
  expect(kinds(done)).toEqual(["prompt", "work", "answer", "end"]);
  expect(kinds(done, new Map([["t", false]]))).toEqual(["prompt", "work", "round", "round", "answer", "end"]);
});

test("rounds are open while a turn runs", () => {
  const open = turn("t", { closed_at: null, exit: null, completion: null, rounds: [round("a")] });
  expect(kinds(open)).toEqual(["prompt", "work", "round", "live"]);
});

test("a call that waits for approval is never hidden", () => {
  const asking = turn("t", { closed_at: null, rounds: [round("a", { status: "waiting_approval" })] });
  expect(kinds(asking, new Map([["t", true]]))).toContain("round");
});

test("rounds stay open when the user stopped a call, until the user folds them", () => {
  const error = { code: "tool_cancelled", message: "The call was stopped before it finished." };
  const stopped = turn("t", { exit: "cancelled", rounds: [round("a", { status: "error", error })] });
  expect(kinds(stopped)).toContain("round");
  expect(kinds(stopped, new Map([["t", true]]))).not.toContain("round");
});

test("a steering message is shown where it arrived", () => {
  const input = { mode: "steer", text: "shorter", attachments: [], ts: "2026-02-09T10:00:10Z" } as const;
  const steered = turn("t", {
    inputs: [input],
    rounds: [round("a"), round("b", { started_at: "2026-02-09T10:00:20Z" })],
  });
  expect(kinds(steered, new Map([["t", false]]))).toEqual([
    "prompt",
    "work",
    "round",
    "steer",
    "round",
    "answer",
    "end",
  ]);
  expect(kinds(steered)).toContain("steer");
});

test("a change in one turn creates no new row of another", () => {
  const first = turn("a");
  const before = rowsOf({ ...none, turns: [first, turn("b")] });
  const after = rowsOf({ ...none, turns: [first, turn("b", { followups: ["x"] })] });
  expect(after.slice(0, 3).every((row, index) => row === before[index])).toBe(true);
  expect(after[3]).not.toBe(before[3]);
});

test("keys are unique", () => {
  const pending = [{ key: "k", mode: "turn", message: "", attachments: [], ts: "" }] as const;
  const rows = rowsOf({
    ...none,
    pending,
    turns: [turn("a", { rounds: [round("x")] }), turn("b", { rounds: [round("x")] })],
  });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});
