import { recordedRequests } from "@cairn/agent";
import { TurnBench } from "@cairn/testkit/turns";
import { expect, it } from "vitest";
import { readTurnCalls } from "./turn-calls.ts";

it("the calls of a turn have the times of their start and end, and calls of later turns are left out", async () => {
  await using bench = await TurnBench.open();
  const plan = (step: string) => ({ name: "react__plan", input: { mode: "new", steps: [step] } });
  bench.simulator.script([
    { reply: { calls: [plan("Look")] } },
    { reply: { calls: [plan("Write")] } },
    { reply: { text: "Done." } },
    { reply: { calls: [plan("Rest")] } },
    { reply: { text: "Welcome." } },
  ]);
  await bench.turn("Do it.");
  await bench.turn("Thanks.");
  const [first] = await Array.fromAsync(recordedRequests(bench.store, bench.key));
  if (first === undefined) throw new Error("There is no request.");
  const calls = await readTurnCalls(bench.store, bench.key, first);
  expect(calls.map(({ tool_id, outcome }) => [tool_id, outcome])).toEqual(Array(2).fill(["react.plan", "ok"]));
  for (const { started_at, settled_at } of calls)
    expect(Date.parse(settled_at ?? "")).toBeGreaterThan(Date.parse(started_at));
});
