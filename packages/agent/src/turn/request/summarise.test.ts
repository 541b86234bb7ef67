/** Tests the prose of a compaction, from one request after the conversation's prefix, or from one for each chunk. */
import type { ModelRequest } from "@cairn/testkit/models";
import { TurnBench } from "@cairn/testkit/turns";
import type { Receipt } from "@cairn/timeline";
import { describe, expect, it } from "vitest";

const LONG = "Something was said about this at some length. ".repeat(100);

/** Ten turns of about 2,300 tokens in a large window. */
async function talkAtLength(bench: TurnBench): Promise<void> {
  bench.simulator.script([{ reply: { text: `Answer. ${LONG}` }, times: 10 }]);
  for (let n = 1; n <= 10; n++) await bench.turn(`Question ${n}. ${LONG}`);
}

const isSummary = ({ lastText }: ModelRequest) => lastText.includes("ummarise it together");
const compactionSignals = (bench: TurnBench) =>
  bench.signals.filter(({ type }) => type === "on_before_compaction" || type === "on_after_compaction");
const estimate = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);

describe("a conversation that continues with a model of a smaller window", () => {
  it("is summarised in chunks that fit that window, and the last summary covers all of them", async () => {
    await using bench = await TurnBench.open();
    await talkAtLength(bench);
    const asked: ModelRequest[] = [];
    const summarise = (request: ModelRequest) => ({ text: `Goal: part ${asked.push(request)}.` });
    bench.simulator.script([{ when: isSummary, reply: summarise, times: 16 }, { reply: { text: "Done." } }]);
    await bench.say("Go on.");
    const model = { ...bench.agent.model, contextTokens: 12_000 };
    await bench.run({ agent: { ...bench.agent, model } });
    expect(asked.length).toBeGreaterThan(1);
    for (const { texts } of asked) expect(estimate(texts)).toBeLessThanOrEqual(12_000);
    const [summary] = await bench.blocks();
    expect(summary?.text).toContain(`Goal: part ${asked.length}.`);
    // Each chunk except the first has the summary of the earlier chunks before it. The beginning of a split turn is
    // summarised separately.
    const beginnings = asked.filter(({ texts }) => !texts[0]?.includes("[SUMMARY OF THE PARTS BEFORE]\nGoal:"));
    expect(beginnings).toHaveLength(summary?.meta?.split_turn_id === null ? 1 : 2);
    // Each covered question was in exactly one chunk.
    const covered = (summary?.meta?.covered_turn_ids ?? []) as string[];
    const shown = asked.map(({ texts }) => texts.join(""));
    for (const turn of covered) expect(shown.filter((text) => text.includes(`[TURN ${turn}]`))).toHaveLength(1);
  });

  it("keeps only the digest when the model fails at one of the chunks, and still answers", async () => {
    await using bench = await TurnBench.open();
    await talkAtLength(bench);
    bench.simulator.script([
      { when: isSummary, reply: { text: "Goal: half of it." } },
      { when: isSummary, reply: { fault: "status", status: 400 }, times: 9 },
      { reply: { text: "Done." } },
    ]);
    await bench.say("Go on.");
    const model = { ...bench.agent.model, contextTokens: 12_000 };
    expect(await bench.run({ agent: { ...bench.agent, model } })).toMatchObject({ end: { text: "Done." } });
    const [summary] = await bench.blocks();
    expect(summary?.text).toContain("ar:");
    expect(summary?.text).not.toContain("half of it");
    expect(bench.signals).toContainEqual(expect.objectContaining({ type: "progress", callId: "compaction" }));
  });
});

describe("a request for a summary", () => {
  it("asks a model for at most its maximum output, and has the checkpoints of the agent's strategy", async () => {
    await using bench = await TurnBench.open({
      contextTokens: 20_000,
      maxOutputTokens: 400,
      agent: { memory: { strategy: "seed", cache: { cache_point_offset_rounds: 1 } } },
    });
    const asksForSummary = ({ lastText }: ModelRequest) => lastText.includes("Summarise");
    bench.simulator.script([
      { when: asksForSummary, reply: { text: "Goal: talk." }, times: 9 },
      { reply: { text: `Answer. ${LONG}` }, times: 20 },
    ]);
    for (let n = 1; n <= 16; n++) await bench.turn(`Question ${n}.`);
    const bodies = bench.simulator.requests.map(({ bytes }) => bytes);
    const at = bodies.findIndex((body) => body.includes("Summarise"));
    expect(at).toBeGreaterThan(0);
    expect(JSON.parse(bodies[at] ?? "{}")).toMatchObject({ max_tokens: 400 });
    const events = await bench.store.readEvents(bench.key, { limit: 10_000 });
    const receipts = events.flatMap(({ event }) => (event.kind === "model.receipt" ? [event.body as ReceiptBody] : []));
    const summary = receipts.find(({ purpose }) => purpose === "summary");
    // The checkpoints are after the second-to-last answer, after the last, and at the end. An answer has three blocks.
    const end = summary?.stable ?? 0;
    expect(summary?.checkpoints).toEqual([end - 6, end - 3, end - 1]);
  });
});

type ReceiptBody = Partial<Receipt> & { readonly purpose?: string };

describe("a request that a provider rejected as too large", () => {
  it("is not sent again for its summary: the chunks are at most half as large, and their cost is recorded", async () => {
    await using bench = await TurnBench.open();
    await talkAtLength(bench);
    const sizes: number[] = [];
    const sized = <T>({ texts }: ModelRequest, reply: T): T => {
      sizes.push(estimate(texts));
      return reply;
    };
    bench.simulator.script([
      { reply: (request) => sized(request, { fault: "context_limit" as const }) },
      { when: isSummary, reply: (request) => sized(request, { text: "Goal: talk." }), times: 16 },
      { reply: { text: "Done." } },
    ]);
    expect(await bench.turn("Go on.")).toMatchObject({ end: { text: "Done." } });
    const [refused = 0, ...asked] = sizes;
    expect(asked.length).toBeGreaterThan(0);
    expect(Math.max(...asked)).toBeLessThanOrEqual(refused / 2);
    const events = await bench.store.readEvents(bench.key, { limit: 10_000 });
    const asides = events.filter(({ event }) => JSON.stringify(event.body).includes('"purpose":"summary_part"'));
    expect(asides).toHaveLength(asked.length);
  });
});

describe("the listener of a turn", () => {
  it("receives the number of visible tokens before and after a compaction, and the journal records it", async () => {
    await using bench = await TurnBench.open({ contextTokens: 20_000 });
    bench.simulator.script([
      { when: ({ lastText }) => lastText.includes("Summarise"), reply: { text: "Goal: talk." }, times: 9 },
      { reply: { text: `Answer. ${LONG}` }, times: 9 },
    ]);
    for (let n = 1; n <= 7; n++) await bench.turn(`Question ${n}. ${LONG}`);
    const [before, after] = compactionSignals(bench);
    expect(before).toEqual({ type: "on_before_compaction", before_tokens: expect.any(Number) });
    if (before?.type !== "on_before_compaction" || after?.type !== "on_after_compaction") throw new Error("not told");
    expect(after.before_tokens).toBe(before.before_tokens);
    expect(after.compacted_tokens).toBe(after.before_tokens - after.after_tokens);
    expect(after.compacted_tokens).toBeGreaterThan(1_000);
    const events = await bench.store.readEvents(bench.key, { limit: 10_000 });
    const kept = events.find(({ event }) => event.kind === "compaction.committed")?.event.body;
    expect(kept).toMatchObject({ before_tokens: after.before_tokens, after_tokens: after.after_tokens });
  });
});
