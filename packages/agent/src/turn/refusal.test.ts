import { TurnBench } from "@cairn/testkit/turns";
import { expect, it } from "vitest";

it("a refusal is shown in the model's words, and is not retried", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: "I will not do that.", refusal: "policy" } }]);
  expect(await bench.turn("Do it")).toMatchObject({
    end: { exit: "complete", text: expect.stringContaining("I will not do that.") },
  });
  expect(bench.simulator.requests).toHaveLength(1);
});

it("a refusal without text is reported as a refusal", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { refusal: "" } }]);
  expect(await bench.turn("Do it")).toMatchObject({ end: { exit: "complete", text: "The model declined to answer." } });
  expect(bench.simulator.requests).toHaveLength(1);
});
