/** Tests readable reasoning: it is stored for people, and the model does not see it again. */
import { TurnBench } from "@cairn/testkit/turns";
import { type Block, emptyView, makeEvent, publicBlock, publicEvent, viewEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";

const write = (channel: string) => ({ name: "react__write", input: { path: "a.md", channel, content: "Hi." } });

const thoughts = async (bench: TurnBench) => (await bench.blocks()).filter(({ type }) => type === "react.thinking");

/** The turns as people see them, from the journal. */
async function turnsOf(bench: TurnBench) {
  const events = await bench.store.readEvents(bench.key, { limit: 1_000 });
  return events.reduce((view, { seq, event }) => viewEvent(view, { seq, event: publicEvent(event) }), emptyView())
    .turns;
}

describe("reasoning", () => {
  it("is a part of the step it led to, and no request contains it", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { thinking: "They want a file.", text: "Writing.", calls: [write("canvas")] } },
      { reply: { thinking: "That is all.", text: "Done." } },
      { reply: { text: "Hello." } },
    ]);
    await bench.turn("Write a file.");
    await bench.turn("Hello");
    const types = (await bench.types()).filter((type) => /thinking|notes|call$|completion/.test(type));
    expect(types).toEqual([
      ...["react.thinking", "react.notes", "react.tool.call", "react.thinking", "assistant.completion"],
      "assistant.completion",
    ]);
    expect(bench.simulator.requests.map(({ bytes }) => bytes).join()).not.toMatch(/They want a file|That is all/);
    const [first, second] = await turnsOf(bench);
    expect([first?.rounds.map(({ thinking }) => thinking), first?.thinking]).toEqual([
      ["They want a file."],
      "That is all.",
    ]);
    expect(second).not.toHaveProperty("thinking");
  });

  it("of an answer in several parts is kept as one", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { thinking: "First.", text: "The first half, ", truncated: true } },
      { reply: { thinking: "Then.", text: "and the second." } },
    ]);
    await bench.turn("Tell me");
    expect((await thoughts(bench)).map(({ text }) => text)).toEqual(["First.\n\nThen."]);
  });

  it("of an answer that is asked for again is dropped", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { thinking: "I call what there is not.", calls: [{ name: "nothing", input: {} }] } },
      { reply: { thinking: "I was cut off.", text: "Half", interrupt: { after: 3, by: "error" } } },
      { reply: { thinking: "Now.", text: "Done." } },
    ]);
    await bench.turn("Go");
    expect((await thoughts(bench)).map(({ text }) => text)).toEqual(["Now."]);
  });

  it("of a turn that is cancelled is kept up to that moment, like its text", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { thinking: "I think for long. ".repeat(500), text: "x", delayMs: 5 } }]);
    await bench.say("Think");
    const cancel = makeEvent("cancel.requested", { key: "c", ts: "2026-02-09T10:00:00Z" });
    let isCancelled = false;
    const outcome = await bench.run({
      listener: (signal) => {
        if (signal.type !== "delta" || isCancelled || !signal.text.includes("think")) return;
        isCancelled = true;
        void bench.append(cancel);
      },
    });
    expect(outcome).toMatchObject({ end: { exit: "cancelled", text: "" } });
    const [kept] = await thoughts(bench);
    expect(kept?.text).toMatch(/^I think for/);
    expect((await turnsOf(bench))[0]?.thinking).toBe(kept?.text);
  });

  it("reasoning that led to internal content is internal too", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { thinking: "The code is 1234.", calls: [write("internal")] } },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Remember the code.");
    const [kept] = await thoughts(bench);
    expect(kept?.meta).toMatchObject({ visibility: "internal" });
    expect(JSON.stringify(publicBlock(kept as Block))).not.toContain("1234");
    expect(JSON.stringify(await turnsOf(bench))).not.toContain("1234");
  });
});
