/** Tests reading content again after a compaction removed it from the window. */
import { callOf, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";

describe("react.read of content that a compaction covered", () => {
  it("reads and binds all of it, although the window only shows lines that an earlier read brought back", async () => {
    await using bench = await TurnBench.open();
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n");
    bench.simulator.script([{ reply: { text: lines } }, { reply: { text: "Two." } }]);
    await bench.turn("First");
    await bench.turn("Second");
    const [turn = ""] = (await bench.store.load(bench.key)).state.turnIds;
    const path = `ar:${turn}.assistant.completion`;
    bench.simulator.script([
      { reply: { fault: "context_limit" } },
      { when: (request) => request.lastText.includes("Summarise"), reply: { text: "Goal: counting." }, times: 2 },
      { reply: callOf("react.read", { paths: [path], lines: { from: 1, to: 2 } }) },
      { reply: callOf("react.read", { paths: [path], lines: { from: 30, to: 31 } }) },
      { reply: callOf("react.write", { path: "copy.md", content: `ref:${path}` }) },
      { reply: { text: "Done." } },
    ]);
    await bench.turn("Third");
    expect((await bench.types())[0]).toBe("conv.range.summary");
    const read = (await bench.blocks()).filter((block) => block.path === path).map(({ text }) => text);
    expect(read).toEqual(["line 1\nline 2\n", "line 30\nline 31\n"]);
    expect((await bench.blocks()).find((block) => block.path?.endsWith("copy.md"))?.text).toBe(lines);
  });
});
