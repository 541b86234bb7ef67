/** Tests of the request for the title of a new conversation. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Model } from "../../model/model.ts";
import { NO_USAGE } from "../../model/model.ts";
import { ModelError } from "../../model/model-error.ts";
import { offlineModel } from "../../offline/offline-model.ts";
import { defineTool } from "../../tool/tool.ts";

/** A model that gives every caller the same answer, and counts its calls. */
function saying(text: string | (() => Promise<string>)): { readonly model: Model; readonly asked: () => number } {
  let asked = 0;
  const model: Model = {
    id: "title",
    provider: "automatic" as const,
    contextTokens: 10_000,
    maxOutputTokens: 1_000,
    prices: { input: 1_000_000, output: 1_000_000, cacheRead: 1, cacheWrite: 1 },
    stream: async function* () {
      asked++;
      yield { type: "text", text: typeof text === "string" ? text : await text() };
      yield { type: "finish", reason: "stop", usage: { ...NO_USAGE, input: 2, output: 1 } };
    },
  };
  return { model, asked: () => asked };
}

const titleOf = async (bench: TurnBench) => (await bench.store.getConversation(bench.key)).title;
const ask = async (bench: TurnBench, message: string) => {
  bench.simulator.script([{ reply: { text: "Yes." } }]);
  return bench.turn(message);
};

describe("a new conversation", () => {
  it("is titled by its first message when the agent has no gate", async () => {
    await using bench = await TurnBench.open();
    await ask(bench, "When does the lease end?\nI forgot.");
    expect(await titleOf(bench)).toBe("When does the lease end?");
  });

  it("is titled by the gate's model, once, and the request is counted", async () => {
    const { model, asked } = saying('"Lease of the flat."');
    await using bench = await TurnBench.open({ agent: { gate: { model } } });
    await ask(bench, "When does it end?");
    expect(await titleOf(bench)).toBe("Lease of the flat");
    const events = await bench.store.readEvents(bench.key);
    const asides = events.flatMap(({ event }) =>
      "unknown" in event || event.kind !== "meta.set" ? [] : (event.body.aside ?? []),
    );
    expect(asides).toEqual([
      { purpose: "title", model: "title", usage: { input_tokens: 2, output_tokens: 1 }, cost: 3 },
    ]);
    expect((await bench.store.spending(bench.key, { since: 0 })).dollars).toBeGreaterThan(3);
    await ask(bench, "And then?");
    expect(asked()).toBe(1);
    expect(await titleOf(bench)).toBe("Lease of the flat");
  });

  it("keeps the title that a person sets during its first turn", async () => {
    await using bench = await TurnBench.open();
    const named = makeEvent("title.given", { key: "t", title: "Mine", ts: "2026-02-09T10:00:00Z" });
    const { model } = saying(async () => {
      await bench.append(named);
      return "Lease";
    });
    bench.simulator.script([{ reply: { text: "Yes." } }]);
    await bench.say("When does it end?");
    await bench.run({ agent: { ...bench.agent, gate: { model } } });
    const given = (await bench.store.readEvents(bench.key)).flatMap(({ event }) =>
      "unknown" in event || event.kind !== "title.given" ? [] : [event.body.title],
    );
    expect(given).toEqual(["When does it end?", "Mine", "Lease"]);
    expect(await titleOf(bench)).toBe("Mine");
  });

  it.each([
    ["fails", () => Promise.reject(new ModelError("fatal", "no"))],
    ["throws something else", () => Promise.reject(new Error("no"))],
    ["says nothing", () => Promise.resolve(" \n ")],
  ])("keeps the beginning of its first message when the gate's model %s", async (_, answer) => {
    await using bench = await TurnBench.open({ agent: { gate: { model: saying(answer).model } } });
    expect(await ask(bench, "When does it end?")).toMatchObject({ end: { exit: "complete", text: "Yes." } });
    expect(await titleOf(bench)).toBe("When does it end?");
  });

  it("is titled before a call waits for consent", async () => {
    const tool = defineTool({
      id: "shop.order",
      description: "Orders.",
      params: z.object({}),
      approval: "always" as const,
      run: async () => ({ ok: true }),
    });
    await using bench = await TurnBench.open({ agent: { gate: { model: saying("Orders").model }, tools: [tool] } });
    bench.simulator.script([{ reply: { calls: [{ name: "shop__order", input: {} }] } }]);
    expect(await bench.turn("Order")).toMatchObject({ status: "waiting" });
    expect(await titleOf(bench)).toBe("Orders");
  });

  it("is also titled by the offline model, and over a provider's wire", async () => {
    await using offline = await TurnBench.open({ agent: { gate: { model: offlineModel() } } });
    await ask(offline, "Hello, could you please tell me when the lease ends? I forgot.");
    expect(await titleOf(offline)).toBe("When the lease ends");
    await using bench = await TurnBench.open();
    const gate = { model: bench.agent.model };
    bench.simulator.script([
      { when: ({ lastText }) => lastText.includes("a title"), reply: { text: "Ending leases" } },
      { reply: { text: "Yes." } },
    ]);
    await bench.say("When?");
    await bench.run({ agent: { ...bench.agent, gate } });
    expect(await titleOf(bench)).toBe("Ending leases");
    expect(bench.simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
  });
});
