/**
 * Tests reasoning over the wire. A provider gets its sealed reasoning back byte for byte, as long as the block that
 * resulted from it is shown. It bills the cache reads that the receipts predicted.
 */
import { type MessageReply, simulatorEnv } from "@cairn/testkit/models";
import { ReplayedTrace, type Trace, tokensOf, toldRequests } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { lookTool } from "../../test/look-tool.ts";
import { MODEL_PROVIDERS } from "../model/providers/registry.ts";
import type { RequestSettings } from "../model/request-settings.ts";
import { resolveModel } from "../resolve/resolve-model.ts";

const trace: Trace = { system_tokens: 1_500, tools_tokens: 1_500, turns: [] };

const look = lookTool(300);

const looks = (...whats: string[]): MessageReply => ({
  thinking: `I should look for ${whats.join(" and ")}.`,
  text: "Let me see.",
  calls: whats.map((what) => ({ name: "site__look", input: { what } })),
});
const says = (text: string): MessageReply => ({ thinking: `Now I know: ${text}`, text });
const many = Array.from({ length: 30 }, (_, nth) => `thing ${nth}`);

function open(model: string, request: RequestSettings = {}): Promise<ReplayedTrace> {
  return ReplayedTrace.open(trace, {
    model,
    lowering: "native",
    agent: { tools: [look], memory: { prune: "seed" }, request },
  });
}

async function expectTruth(replayed: ReplayedTrace) {
  expect(replayed.simulator.requests.map(({ refusal }) => refusal).filter((refusal) => refusal !== null)).toEqual([]);
  const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
  for (const request of told)
    expect(request).toMatchObject({ isRebuilt: true, isSpelled: true, predictedRead: request.billedRead });
  return told;
}

const SEALED = /"(?:signature|encrypted_content)":"([^"]+)"/g;
const sealsIn = (bytes = "") => [...bytes.matchAll(SEALED)].map(([, seal]) => seal);

describe.each(["anthropic:claude-sonnet-5", "bedrock:us.anthropic.claude-sonnet-5", "openai:gpt-6.1-sol"])(
  "with %s",
  (model) => {
    it("reasoning is sent back with its decision, and every read is billed as predicted", async () => {
      await using replayed = await open(model);
      await replayed.turn("One.", [looks("a"), looks("b", "c"), says("Done.")]);
      await replayed.reopen();
      await replayed.turn("Two.", [looks(...many), says("Done again.")]);
      const told = await expectTruth(replayed);
      expect(told.map(({ resets }) => resets)).toEqual([[], [], [], [], []]);
      // Each request reads everything that the previous request left in the cache, even after thirty calls and thirty
      // results.
      const kept = replayed.simulator.requests.map(({ usage }) => (usage?.read ?? 0) + (usage?.written ?? 0));
      expect(told.slice(1).map(({ billedRead }) => billedRead)).toEqual(kept.slice(0, -1));
      // Each request returns the reasoning of every earlier decision, in order.
      const seals = replayed.simulator.requests.map(({ bytes }) => sealsIn(bytes));
      expect(seals.map(({ length }) => length)).toEqual([0, 1, 2, 3, 4]);
      for (const [nth, sent] of seals.entries()) expect(seals.at(-1)?.slice(0, nth)).toEqual(sent);
    });

    it("reasoning altered by one byte is refused", async () => {
      await using replayed = await open(model);
      await replayed.turn("One.", [looks("a"), says("Done.")]);
      const { bytes = "", path = "" } = replayed.simulator.requests.at(-1) ?? {};
      const [seal = ""] = sealsIn(bytes);
      const altered = bytes.replace(seal, `${seal.slice(0, -1)}${seal.endsWith("0") ? "1" : "0"}`);
      const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01", authorization: "Bearer key" };
      const url = new URL(path, replayed.simulator.baseUrl);
      expect((await fetch(url, { method: "POST", headers, body: altered })).status).toBe(400);
      expect(replayed.simulator.requests.at(-1)?.refusal).toMatch(/cannot be modified|could not be verified/);
    });

    it("the receipts declare another prefix when a model stops or begins again to take reasoning back", async () => {
      await using replayed = await open(model);
      await replayed.turn("One.", [looks("a"), says("Done.")]);
      const keys = simulatorEnv(replayed.simulator.baseUrl);
      const providers = MODEL_PROVIDERS.map((provider) => ({ ...provider, keepsReasoning: () => false }));
      const without = await resolveModel(model, { ...keys, CAIRN_MODEL_LOWERING: "native" }, { providers });
      await replayed.turn("Two.", [says("Done.")], { agent: { model: without } });
      await replayed.turn("Three.", [says("Done.")]);
      await replayed.turn("Four.", [says("Done.")]);
      const told = await expectTruth(replayed);
      expect(replayed.simulator.requests.map(({ bytes }) => sealsIn(bytes).length)).toEqual([0, 1, 0, 3, 4]);
      expect(told.map(({ resets }) => resets)).toEqual([[], [], ["reasoning_dropped"], ["lowering_changed"], []]);
    });

    it("reasoning is sent only to the model that produced it", async () => {
      await using replayed = await open(model);
      await replayed.turn("One.", [looks("a"), says("Done.")]);
      const other = model.startsWith("openai") ? "openai:gpt-6-sol" : model.replace("sonnet", "opus");
      const keys = simulatorEnv(replayed.simulator.baseUrl);
      const another = await resolveModel(other, { ...keys, CAIRN_MODEL_LOWERING: "native" });
      await replayed.turn("Two.", [says("Done.")], { agent: { model: another } });
      await replayed.turn("Three.", [says("Done.")]);
      const told = await expectTruth(replayed);
      const seals = replayed.simulator.requests.map(({ bytes }) => sealsIn(bytes).length);
      // The third request goes to the other model. The fourth does not return the reasoning of that model.
      expect(seals).toEqual([0, 1, 0, 2]);
      expect(told.map(({ resets }) => resets)).toEqual([
        [],
        [],
        ["model_changed", "reasoning_dropped"],
        ["model_changed"],
      ]);
    });
  },
);

it("thinking that is bound to everything before it is not sent back, because the tail before it is never sent again", async () => {
  await using replayed = await open("anthropic:claude-sonnet-5-5");
  await replayed.turn("One.", [looks("a"), looks("b", "c"), says("Done.")]);
  await replayed.turn("Two.", [says("Done again.")]);
  const told = await expectTruth(replayed);
  expect(told.map(({ resets }) => resets)).toEqual([[], [], [], []]);
  expect(replayed.simulator.requests.flatMap(({ bytes }) => sealsIn(bytes))).toEqual([]);
  expect(replayed.simulator.requests.at(-1)?.bytes).toContain('"type":"tool_use"');
});

it("a model that thinks by a budget is sent flat history while it thinks, because it refuses calls without their thinking", async () => {
  await using replayed = await open("anthropic:claude-haiku-4-5", { reasoning: { effort: "low" } });
  await replayed.turn("One.", [looks("a"), looks("b"), says("Done.")]);
  await replayed.turn("Two.", [looks("c"), says("Done.")], { agent: { request: {} } });
  const told = await expectTruth(replayed);
  const hasCalls = replayed.simulator.requests.map(({ bytes }) => bytes.includes('"type":"tool_use"'));
  expect(hasCalls).toEqual([false, false, false, true, true]);
  expect(told.map(({ resets }) => resets)).toEqual([[], [], [], ["lowering_changed"], []]);
});

it.each([
  ["anthropic:claude-sonnet-5", (data: string) => ({ type: "redacted_thinking", data })],
  ["bedrock:us.anthropic.claude-sonnet-5", (redactedContent: string) => ({ reasoningContent: { redactedContent } })],
] as const)("%s gets redacted reasoning back unchanged, after the readable one", async (model, blockOf) => {
  await using replayed = await open(model);
  const redacted = (text: string) => Buffer.from(text).toString("base64");
  await replayed.turn("One.", [{ ...looks("a"), redacted: redacted("secret") }, says("Done.")]);
  await replayed.reopen();
  await replayed.turn("Two.", [{ redacted: redacted("another secret"), text: "Yes." }]);
  await replayed.turn("Three.", [says("Done.")]);
  await expectTruth(replayed);
  const sent = replayed.simulator.requests.map(({ bytes }) =>
    ["secret", "another secret"].map((text) => bytes.split(JSON.stringify(blockOf(redacted(text)))).length - 1),
  );
  expect(sent).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
    [1, 1],
  ]);
});

it.each<[string, RequestSettings, RequestSettings]>([
  ["anthropic:claude-sonnet-5", { reasoning: { effort: "minimal" } }, { reasoning: { effort: "low" } }],
  ["anthropic:claude-opus-5-5", { reasoning: { budgetTokens: 4_000 } }, { reasoning: { budgetTokens: 8_000 } }],
  [
    "bedrock:us.anthropic.claude-opus-5-5",
    { reasoning: { budgetTokens: 4_000 } },
    { reasoning: { budgetTokens: 8_000 } },
  ],
])(
  "%s reads its cache after a setting changed that changes nothing in the sent request",
  async (model, before, after) => {
    await using replayed = await open(model, before);
    await replayed.turn("One.", [says("Done.")]);
    await replayed.turn("Two.", [says("Done.")], { agent: { request: after } });
    const [, second] = await expectTruth(replayed);
    const [first] = replayed.simulator.requests;
    expect(second).toMatchObject({ cold: null, billedRead: first?.usage?.written });
  },
);

it.each(["anthropic:claude-sonnet-5", "bedrock:us.anthropic.claude-sonnet-5"])(
  "%s loses its cached messages when the effort changes, and the receipt predicts it",
  async (model) => {
    await using replayed = await open(model, { reasoning: { effort: "high" } });
    await replayed.turn("One.", [says("Done.")]);
    await replayed.turn("Two.", [says("Done.")], { agent: { request: { reasoning: { effort: "low" } } } });
    const [, second] = await expectTruth(replayed);
    expect(second).toMatchObject({ cold: "settings_changed" });
  },
);

const signaturesIn = (bytes = "") => bytes.match(/"thoughtSignature":"[^"]+"/g) ?? [];

it.each(["google:gemini-4-argon", "openai-compatible:gpt-4.1"])(
  "%s is sent calls and results in its own roles, across parallel calls, an empty answer and a restart",
  async (model) => {
    await using replayed = await open(model);
    await replayed.turn("One.", [looks("a"), looks("b", "c"), says("Done.")]);
    await replayed.reopen();
    await replayed.turn("Two.", [{ thinking: "Nothing to say." }, looks(...many), says("Done again.")]);
    expect(replayed.simulator.requests.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    const told = await toldRequests(replayed.store, replayed.key, replayed.simulator.requests);
    for (const request of told)
      expect(request).toMatchObject({ isRebuilt: true, isSpelled: true, resets: [], miss: null });
    const last = replayed.simulator.requests.at(-1);
    expect(last?.request?.toolResults).toHaveLength(3 + many.length);
    // Gemini signs each call, and the signatures are sent back unchanged.
    expect(signaturesIn(last?.bytes)).toHaveLength(model.startsWith("google") ? 3 + many.length : 0);
  },
);

it("an answer that is only reasoning is asked for again, and leaves nothing that the provider would refuse", async () => {
  await using replayed = await open("anthropic:claude-sonnet-5");
  await replayed.turn("One.", [looks("a"), { thinking: "Nothing to say." }, {}, says("Done.")]);
  await replayed.turn("Two.", [says("Done.")]);
  await expectTruth(replayed);
  // The reasoning of the empty answer has no block that resulted from it, so it is not sent back.
  expect(replayed.simulator.requests.map(({ bytes }) => sealsIn(bytes).length)).toEqual([0, 1, 1, 1, 2]);
});

it("reasoning that is sent back counts: a conversation is compacted before the window is full of it", async () => {
  await using replayed = await ReplayedTrace.open(trace, {
    model: "anthropic:claude-sonnet-5",
    lowering: "native",
    contextTokens: 30_000,
    provider: { contextWindow: 30_000 },
    agent: { tools: [look] },
  });
  const thinks = (nth: number): MessageReply => ({
    ...looks(`thing ${nth}`),
    thinking: tokensOf(`thought ${nth}`, 900),
  });
  for (let turn = 0; turn < 8; turn++)
    await replayed.turn(`Turn ${turn}.`, [
      thinks(turn),
      thinks(turn + 100),
      thinks(turn + 200),
      { ...thinks(turn + 300), calls: [] },
    ]);
  const told = await expectTruth(replayed);
  expect(told.flatMap(({ resets }) => resets)).toContain("compaction");
});
