import type { TurnCall } from "@cairn/api";
import { expect, test } from "vitest";
import { makeRequest } from "../../../test/request-for-tests.ts";
import { barsAround, describeTiming, turnWaterfall } from "./turn-waterfall.ts";

const at = (ms: number) => new Date(Date.parse("2026-02-09T10:00:00.000Z") + ms).toISOString();
const call: TurnCall = {
  call_id: "tc_1",
  tool_id: "survey.search",
  started_at: at(2_000),
  settled_at: at(5_000),
  outcome: "ok",
};

test("requests and calls are bars in the order they began, with the wait for the first piece", () => {
  const later = makeRequest(2, { started_at: at(6_000), first_token_ms: 1_000, duration_ms: 4_000 });
  const { totalMs, bars } = turnWaterfall([makeRequest(1, { started_at: at(0) }), later], [call]);
  expect(totalMs).toBe(10_000);
  expect(bars.map(({ label, start, length, wait, told }) => [label, start, length, wait, told])).toEqual([
    ["Request 1", 0, 0.2, 0.2, "2.0 s"],
    ["survey.search", 0.2, 0.3, 0, "3.0 s"],
    ["Request 2", 0.6, 0.4, 0.25, "4.0 s"],
  ]);
});

test("an unknown duration has no length: an older request, a running call", () => {
  const old = makeRequest(1, { started_at: at(0), first_token_ms: null, duration_ms: null });
  const running = { ...call, settled_at: null, outcome: null };
  const failed = { ...call, call_id: "tc_2", started_at: at(2_500), outcome: "error" as const };
  expect(turnWaterfall([old], [running, failed]).bars.map(({ length, told }) => [length, told])).toEqual([
    [0, "not recorded"],
    [0, "running"],
    [0.5, "2.5 s, error"],
  ]);
  expect(describeTiming(old)).toBe("not recorded");
  expect(turnWaterfall([], [])).toEqual({ totalMs: 0, bars: [] });
});

test("of a long turn, only the bars around the chosen request are drawn", () => {
  const requests = Array.from({ length: 50 }, (_, index) => makeRequest(index + 1, { started_at: at(index * 10) }));
  const { bars } = turnWaterfall(requests, []);
  const around = (n: number) => barsAround(bars, n, 10).map((bar) => bar.n);
  expect(around(1)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(around(25)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  expect(around(50)).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
});
