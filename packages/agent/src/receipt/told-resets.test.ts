/**
 * Tests that every change of content that was already sent is declared, in this process or after a restart, and that
 * its cost is predicted.
 */
import type { MessageReply } from "@cairn/testkit/models";
import { bySize } from "@cairn/testkit/runs";
import { ReplayedTrace, type Trace, tokensOf, toldRequests } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentMemory } from "../definition/agent-memory.ts";
import { reactTools } from "../react/react-tools.ts";
import { resolveModel } from "../resolve/resolve-model.ts";
import { type AnyTool, defineTool } from "../tool/tool.ts";

const trace: Trace = { system_tokens: 1_500, tools_tokens: 1_500, turns: [] };
/** Models of the test, each with both lowerings; in a quick run, each with one. */
const [FIRST, SECOND] = ["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol"];
const ONE_EACH = [`${FIRST} flat`, `${SECOND} native`];
const ALL = [...ONE_EACH, `${FIRST} native`, `${SECOND} flat`];
const MODELS = bySize({ quick: ONE_EACH, usual: ALL, long: ALL });

const look = defineTool({
  id: "site.look",
  description: "Looks something up.",
  params: z.object({ what: z.string(), words: z.number() }),
  run:
    async ({ what, words }) =>
    (scribe) =>
      scribe.result(tokensOf(what, words), "text/plain"),
});
/** A custom tool that hides the last result. */
const tidy = defineTool({
  id: "site.tidy",
  description: "Hides a result.",
  params: z.object({ path: z.string() }),
  run:
    async ({ path }) =>
    (scribe) => {
      const { blocks_hidden } = scribe.hide({ paths: [path], replacement: "seen" });
      scribe.result(JSON.stringify({ blocks_hidden }), "application/json");
    },
});
const tools: readonly AnyTool[] = [...reactTools(), look, tidy];

const looks = (what: string, words = 600): MessageReply => ({
  calls: [{ name: "site__look", input: { what, words } }],
});
const says = (text: string): MessageReply => ({ text });

/** A turn prunes nothing at its end, except in tests of pruning. */
async function open(model: string, contextTokens?: number, memory: AgentMemory = {}): Promise<ReplayedTrace> {
  const [id = "", lowering] = model.split(" ");
  return ReplayedTrace.open(trace, {
    model: id,
    lowering: lowering === "native" ? "native" : "flat",
    agent: { tools, memory: { prune: "seed", ...memory } },
    ...(contextTokens === undefined ? {} : { contextTokens }),
  });
}

/** The rules for every request, and the resets of each request. */
async function resetsOf(replayed: ReplayedTrace): Promise<(readonly string[])[]> {
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  for (const request of told) {
    const { billedRead, resets } = request;
    expect(request).toMatchObject({ isRebuilt: true, isSpelled: true, predictedRead: billedRead });
    expect(request.miss === null || resets.includes(request.miss)).toBe(true);
  }
  return told.map(({ resets }) => resets);
}

const hides =
  (tool: string, param: string) =>
  ({ texts }: { readonly texts: readonly string[] }): MessageReply => {
    const path =
      texts
        .join("\n")
        .match(/tc:\S+\.result/g)
        ?.at(-1) ?? "";
    return {
      calls: [
        { name: tool, input: { [param]: path, ...(tool === "react__hide" ? { replacement_text: "seen" } : {}) } },
      ],
    };
  };

describe.each(MODELS)("with %s", (model) => {
  it("an agent that changed between two turns declares its tools and its system text", async () => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a"), says("Done.")]);
    await replayed.turn("Two.", [says("Done.")], { agent: { instructions: tokensOf("another system text", 1_500) } });
    await replayed.turn("Three.", [says("Done.")], { agent: { tools: [...reactTools(), look] } });
    await replayed.turn("Four.", [says("Done.")]);
    expect(await resetsOf(replayed)).toEqual([
      [],
      [],
      ["system_changed"],
      ["tools_changed", "system_changed"],
      ["tools_changed"],
    ]);
  });

  it("blocks pruned at the end of a turn are declared once, by the next turn's first request, with all other changes", async () => {
    await using replayed = await open(model, undefined, { prune: "economic" });
    const instructions = tokensOf("another system text", 1_500);
    await replayed.turn("One.", [looks("a", 2_000), looks("b", 2_000), says("Done.")]);
    await replayed.turn("Two.", [looks("c", 2_000), says("Done.")]);
    await replayed.reopen();
    await replayed.turn("Three.", [says("Done.")], { agent: { instructions } });
    expect(await resetsOf(replayed)).toEqual([[], [], [], ["turn_prune"], [], ["turn_prune", "system_changed"]]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    expect(told.map(({ continues }) => continues)).toEqual([false, true, true, true, true, true]);
  });

  it.each([
    ["the built-in tool", "react__hide", "path"],
    ["a tool of one's own", "site__tidy", "path"],
  ])("blocks that %s hides are declared by the next request", async (_, tool, param) => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a"), looks("b"), hides(tool, param), says("Done.")]);
    expect(await resetsOf(replayed)).toEqual([[], [], [], ["hide"]]);
  });

  it("blocks that were hidden before the process ended are declared by the next process", async () => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a"), looks("b"), hides("site__tidy", "path"), says("Done.")], { endsAfter: 3 });
    await replayed.reopen();
    await replayed.goOn();
    expect(await resetsOf(replayed)).toEqual([[], [], [], ["hide"]]);
  });

  it("a summary has its own receipt, and the compaction is declared after it", async () => {
    await using replayed = await open(model, 12_000);
    // Each result is smaller than its share of the window, so it is not clipped.
    await replayed.turn("One.", [looks("a", 1_400), looks("b", 1_400), looks("c", 1_400), says("Done.")]);
    await replayed.turn("Two.", [looks("d", 1_400), says("Done.")]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    expect(told).toHaveLength(replayed.simulator.requests.length);
    const last = told.findLastIndex(({ purpose }) => purpose === "summary");
    expect(last).toBeGreaterThan(0);
    expect((await resetsOf(replayed))[last + 1]).toContain("compaction");
  });

  it("blocks pruned before a summary request are declared by that request", async () => {
    await using replayed = await open(model, 16_000, {
      session: { keep_recent_turns: 1, keep_recent_intact_turns: 1 },
    });
    await replayed.turn("One.", [looks("a", 1_020), says("Done.")]);
    for (const nth of [2, 3, 4, 5, 6, 7, 8]) await replayed.turn(tokensOf(`prompt ${nth}`, 850), [says("Done.")]);
    replayed.pass(7_200);
    await replayed.turn(tokensOf("prompt 9", 2_000), [says("Done.")]);
    const resets = await resetsOf(replayed);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    const summary = told.findIndex(({ purpose }) => purpose === "summary");
    expect([resets[summary], resets.at(-1)]).toEqual([["ttl_prune"], ["compaction"]]);
  });

  it("a retried request reads the cache entries that the interrupted one wrote", async () => {
    await using replayed = await open(model);
    const cut: MessageReply = { text: "half an answer", interrupt: { after: 1, by: "cut" }, pieceSize: 4 };
    await replayed.turn("One.", [looks("a", 2_000), cut, says("Done.")]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    expect(told.map(({ reportedRead }) => reportedRead !== null)).toEqual([true, false, true]);
    expect(told.map(({ resets }) => resets)).toEqual([[], [], []]);
    expect(told.at(-1)?.billedRead).toBeGreaterThan(4_000);
    expect(told.at(-1)?.predictedRead).toBe(told.at(-1)?.billedRead);
  });

  it("an answer that the user stopped has a receipt without a cost, and the next request reads the cache it wrote", async () => {
    await using replayed = await open(model);
    const slow: MessageReply = { text: "a very long answer ".repeat(50), pieceSize: 8, delayMs: 20 };
    await replayed.turn("One.", [looks("a", 2_000), slow], { cancelAt: "a very" });
    await replayed.turn("Two.", [says("Done.")]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    expect(told.map(({ reportedRead }) => reportedRead !== null)).toEqual([true, false, true]);
    expect(told.at(-1)?.billedRead).toBeGreaterThan(4_000);
    expect(await resetsOf(replayed)).toEqual([[], [], []]);
  });

  it("a fork, and a fork of a fork, reads the cache that its origin wrote, also if a routing key selects the cache", async () => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a", 2_000), says("Done.")]);
    for (const branch of ["branch", "branch of a branch"]) {
      await replayed.fork(branch);
      await replayed.turn("Two.", [says("Done.")]);
      const last = (await toldRequests(replayed.store, replayed.key, replayed.simulator.requests)).at(-1);
      expect(last?.billedRead).toBeGreaterThan(1_000);
      expect(last?.predictedRead).toBe(last?.billedRead);
    }
    expect(await resetsOf(replayed)).toEqual([[], [], [], []]);
  });

  it("the final answer after a used-up budget declares no reset, and the receipts predict its cache read", async () => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a"), looks("b"), says("As far as I know.")], {
      agent: { budgets: { iterations: 2 } },
    });
    expect(await resetsOf(replayed)).toEqual([[], [], []]);
    await replayed.turn("Two.", [says("Done.")]);
    expect(await resetsOf(replayed)).toEqual([[], [], [], []]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    const lost = model.startsWith("anthropic") ? "settings_changed" : null;
    expect(told.map(({ cold }) => cold)).toEqual([null, null, lost, lost]);
  });
});

it("a pause longer than the cache lifetime is reported as the reason for a smaller read", async () => {
  await using replayed = await open("anthropic:claude-sonnet-5");
  await replayed.turn("One.", [says("Done.")]);
  replayed.pass(200);
  await replayed.turn("Two.", [says("Done.")]);
  replayed.pass(400);
  await replayed.turn("Three.", [says("Done.")], {});
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  expect(told.map(({ cold }) => cold)).toEqual([null, null, "expired"]);
  expect(told.map(({ predictedRead }) => predictedRead)).toEqual(told.map(({ billedRead }) => billedRead));
});

it("a different model begins with an empty cache, and later reads its own again", async () => {
  await using replayed = await open("anthropic:claude-sonnet-5");
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: replayed.simulator.baseUrl };
  const model = await resolveModel("anthropic:claude-opus-5", { ...env, CAIRN_MODEL_LOWERING: "flat" });
  await replayed.turn("One.", [looks("a"), says("Done.")]);
  await replayed.turn("Two.", [says("Done.")], { agent: { model } });
  await replayed.turn("Three.", [says("Done.")]);
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  expect(told.map(({ predictedRead }) => predictedRead)).toEqual(told.map(({ billedRead }) => billedRead));
  expect(told.map(({ predictedRead }) => predictedRead !== 0)).toEqual([false, true, false, true]);
  expect(told.map(({ cold }) => cold)).toEqual([null, null, "model_changed", "model_changed"]);
  expect(told.map(({ resets }) => resets)).toEqual([[], [], ["model_changed"], ["model_changed"]]);
});

it("a conversation that is sent in another form declares it, and every request is still rebuilt", async () => {
  await using replayed = await open("anthropic:claude-sonnet-5 flat");
  const env = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: replayed.simulator.baseUrl };
  const model = await resolveModel("anthropic:claude-sonnet-5", { ...env, CAIRN_MODEL_LOWERING: "native" });
  await replayed.turn("One.", [looks("a"), says("Done.")]);
  await replayed.turn("Two.", [looks("b"), says("Done.")], { agent: { model } });
  await replayed.turn("Three.", [says("Done.")]);
  expect(await resetsOf(replayed)).toEqual([[], [], ["lowering_changed"], [], ["lowering_changed"]]);
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  // Content that was already sent in this form is still in the cache.
  expect(told.map(({ cold }) => cold)).toEqual([null, null, "lowering_changed", null, "lowering_changed"]);
});
