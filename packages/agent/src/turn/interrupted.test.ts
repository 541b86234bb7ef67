/** Tests an interrupted turn: its text so far is stored, and its decisions are still known. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:01Z";

describe("a cancellation", () => {
  it("while a file is being written keeps the text so far and the received part of the file", async () => {
    await using bench = await TurnBench.open();
    const content = `# Report\n\nTea is green [[S:1]]. ${"And so on. ".repeat(40)}`;
    bench.simulator.script([
      {
        reply: {
          text: "I write it down.",
          calls: [{ name: "react__write", input: { path: "report.md", channel: "canvas", content } }],
          pieceSize: 20,
          interrupt: { after: 13, by: "stall" as const },
        },
      },
    ]);
    await bench.say("Write a report");
    const running = bench.run();
    const isWriting = () =>
      bench.signals.some((signal) => signal.type === "delta" && signal.kind === "write" && signal.offset > 30);
    while (!isWriting()) await new Promise((resolve) => setTimeout(resolve, 5));
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: TS }));
    expect(await running).toMatchObject({ end: { exit: "cancelled", interrupted: true } });
    const kept = (await bench.blocks()).find((block) => block.type === "assistant.completion");
    expect(kept?.meta).toMatchObject({ interrupted: true });
    const [, said, path, written = ""] = /^(.*)\n\n`(fi:.*)`:\n\n([\s\S]*)$/.exec(kept?.text ?? "") ?? [];
    expect(said).toBe("I write it down.");
    expect(path).toMatch(/^fi:turn_\d+\.files\/report\.md$/);
    expect(written).toContain("# Report\n\nTea is green [[S:1]].");
    expect(content.startsWith(written)).toBe(true);
    bench.simulator.script([{ reply: { text: "Yes." } }]);
    await bench.turn("Is it lost?");
    expect(bench.simulator.requests.at(-1)?.request?.texts.join("\n")).toContain("Tea is green [[S:1]].");
  });
});

describe("a new attempt at a turn", () => {
  it("knows which calls were made last, even after a decision that was rejected", async () => {
    const effects: string[] = [];
    const order = defineTool({
      id: "shop.order",
      description: "Orders.",
      params: z.object({ what: z.string() }),
      run: async ({ what }) => {
        effects.push(what);
        return { ok: true, ret: what };
      },
    });
    await using bench = await TurnBench.open({ agent: { tools: [order] } });
    const tea = { reply: { calls: [{ id: "toolu_1", name: "shop__order", input: { what: "tea" } }] } };
    bench.simulator.script([tea, tea, tea, { reply: { text: "One tea." } }]);
    await bench.say("Tea");
    const death = new AbortController();
    const dead = bench.run({
      signal: death.signal,
      listener: (signal) => {
        if (signal.type === "events" && JSON.stringify(signal.events).includes("repeated_decision")) death.abort();
      },
    });
    await expect(dead).rejects.toThrow();
    expect(await bench.run()).toMatchObject({ end: { text: "One tea." } });
    expect(effects).toEqual(["tea"]);
    expect((await bench.types()).filter((type) => type === "react.notice")).toHaveLength(2);
  });
});
