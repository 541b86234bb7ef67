/** Tests a turn whose beginning was summarised while it runs: later content gets no path of the summarised part. */
import { TurnBench } from "@cairn/testkit/turns";
import { type BlobRef, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:00Z";

describe("a turn that is compacted in the middle", () => {
  it("continues the numbers of steering messages, attachments and notices, and each stays readable by its path", async () => {
    let steps = 0;
    const step = defineTool({
      id: "shop.step",
      description: "Steps.",
      params: z.object({ n: z.number() }),
      run: async () => {
        steps++;
        if (steps === 1 || steps === 4) await steer(steps);
        return { ok: true, ret: "A long result. ".repeat(400) };
      },
    });
    await using bench = await TurnBench.open({ agent: { tools: [step] } });
    const steer = async (n: number) => {
      const { ref } = await bench.store.putBlob(bench.key, [Buffer.from(`attached ${n}`)]);
      const attachments = [{ name: "a.txt", mime: "text/plain", blob: ref as BlobRef, size_bytes: 10 }];
      const input = { key: `steer-${n}`, mode: "steer" as const, message: `Steering ${n}`, attachments, ts: TS };
      await bench.append(makeEvent("input.received", input));
    };
    const call = (n: number) => ({ reply: { calls: [{ name: "shop__step", input: { n } }] } });
    const wrong = { reply: { calls: [{ name: "no_such_tool", input: {} }] } };
    bench.simulator.script([
      ...[wrong, call(1), call(2), call(3)],
      { reply: { fault: "context_limit" } },
      { when: ({ lastText }) => lastText.includes("Summarise"), reply: { text: "Goal: steps." }, times: 9 },
      ...[wrong, call(4)],
      { reply: { text: "Done." } },
    ]);
    expect(await bench.turn("Step on")).toMatchObject({ end: { exit: "complete" } });
    const { state } = await bench.store.load(bench.key);
    const [turn = ""] = state.turnIds;
    const events = await bench.store.readEvents(bench.key, { limit: 10_000 });
    const paths = events.flatMap(({ event }) =>
      !("unknown" in event) && event.kind === "block.appended" ? [event.body.block] : [],
    );
    const of = (type: string) => paths.filter((block) => block.type === type).map(({ path }) => path);
    expect(of("user.prompt")).toEqual([1, 2, 3].map((n) => `ar:${turn}.user.prompt${n === 1 ? "" : `.${n}`}`));
    expect(of("user.attachment")).toEqual(["a.txt", "a-2.txt"].map((name) => `fi:${turn}.user.attachments/${name}`));
    expect(of("react.notice")).toEqual([1, 2].map((n) => `ar:${turn}.react.notice.${n}`));
    expect((await bench.store.findByPath(bench.key, `ar:${turn}.user.prompt`))?.artifact.text).toBe("Step on");
  });
});
