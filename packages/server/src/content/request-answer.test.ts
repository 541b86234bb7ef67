import { recordedRequests } from "@cairn/agent";
import { TurnBench } from "@cairn/testkit/turns";
import { expect, it } from "vitest";
import { readAnswer } from "./request-answer.ts";

async function answersOf({ store, key }: TurnBench) {
  const requests = await Array.fromAsync(recordedRequests(store, key));
  return await Promise.all(requests.map((request) => readAnswer(store, key, request)));
}

it("the answer to a request is its thinking, notes, calls and text, without results and later turns", async () => {
  await using bench = await TurnBench.open();
  const plan = { name: "react__plan", input: { mode: "new", steps: ["Look"] } };
  bench.simulator.script([
    { reply: { thinking: "Which?", text: "I plan.", calls: [plan] } },
    { reply: { text: "Done." } },
    { reply: { text: "Welcome." } },
  ]);
  await bench.turn("Do it.");
  await bench.turn("Thanks.");
  const [first, second, third] = await answersOf(bench);
  expect(first).toMatchObject([
    { kind: "thinking", text: "Which?", tool_id: null },
    { kind: "notes", text: "I plan." },
    { kind: "call", tool_id: "react.plan", text: JSON.stringify(plan.input) },
  ]);
  expect(second).toMatchObject([{ kind: "answer", text: "Done." }]);
  expect(third).toMatchObject([{ kind: "answer", text: "Welcome." }]);
});

it("an answer that cannot be read is kept as it was, and the text of a failed turn is not the model's", async () => {
  await using bench = await TurnBench.open();
  const unread = { reply: { calls: [{ name: "nothing", input: {} }] } };
  bench.simulator.script([unread, unread, unread, unread]);
  await bench.turn("Do it.");
  const answers = await answersOf(bench);
  expect(answers.map((parts) => parts.map(({ kind }) => kind))).toEqual([
    ["unread"],
    ["unread"],
    ["unread"],
    ["unread", "failure"],
  ]);
  expect(answers[0]?.[0]?.text).toContain('"nothing"');
});
