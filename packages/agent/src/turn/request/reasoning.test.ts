/** Tests how much a model reasons: the settings of the agent and the message, as each provider receives them. */
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { type EventBody, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { rebuildRequest } from "../../receipt/past-request.ts";
import { recordedRequests } from "../../receipt/recorded-requests.ts";
import { spellRequest } from "../../receipt/spell-request.ts";
import { resolveModel } from "../../resolve/resolve-model.ts";

type Reasoning = EventBody<"input.received">["reasoning"];

const countTokens = (text: string) => Math.ceil(text.length / 4);
const NOTE = { reply: { calls: [{ name: "react__write", input: { path: "a.md", content: "Hi." } }] } };
const DONE = { reply: { text: "Done." } };

const modelNamed = (name: string): BenchOptions => ({
  model: (url) =>
    resolveModel(name, {
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: url,
      AWS_BEARER_TOKEN_BEDROCK: "k",
      AWS_REGION: "us-east-1",
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
      GEMINI_API_KEY: "k",
      GOOGLE_GENERATIVE_AI_BASE_URL: url,
      CAIRN_MODEL_BASE_URL: url,
      CAIRN_MODEL_API_KEY: "k",
    }),
});

async function say(bench: TurnBench, key: string, reasoning: Reasoning): Promise<void> {
  const input = { key, mode: "turn" as const, message: "Think.", attachments: [], ts: "2026-02-09T10:00:00Z" };
  await bench.append(makeEvent("input.received", reasoning === undefined ? input : { ...input, reasoning }));
}

const told = (bench: TurnBench) =>
  bench.signals.flatMap((signal) => (signal.type === "progress" && signal.callId === "model" ? [signal.text] : []));

/** The effort and the budget of a body; `null` for a field that the body must not have. */
describe.each<[string, string, object, object, readonly RegExp[]]>([
  [
    "Anthropic",
    "anthropic:claude-sonnet-5-5",
    { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
    { thinking: { type: "adaptive", display: "summarized" } },
    [/reasoning\.budget_tokens \(only an effort can be set\)/],
  ],
  [
    "an Anthropic model with budgets",
    "anthropic:claude-haiku-4-5",
    { thinking: { type: "enabled", budget_tokens: expect.any(Number) } },
    { thinking: { type: "enabled", budget_tokens: 1_024 } },
    [/at least 1024 tokens are used/],
  ],
  [
    "Claude on Bedrock",
    "bedrock:us.anthropic.claude-sonnet-5",
    {
      additionalModelRequestFields: {
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { effort: "high" },
      },
    },
    { additionalModelRequestFields: { thinking: { type: "adaptive", display: "summarized" } } },
    [/reasoning\.budget_tokens \(only an effort can be set\)/],
  ],
  [
    "OpenAI Responses",
    "openai:gpt-6.1-sol",
    { reasoning: { effort: "high", summary: "auto" } },
    {},
    [/reasoning\.budget_tokens \(OpenAI's models take an effort only\)/],
  ],
  [
    "Google",
    "google:gemini-4-argon",
    { generationConfig: { thinkingConfig: { thinkingLevel: "high", includeThoughts: true } } },
    { generationConfig: { thinkingConfig: { thinkingBudget: 500, includeThoughts: true } } },
    [],
  ],
  ["a compatible server", "openai-compatible:any", { reasoning_effort: "high" }, {}, [/only an effort can be set/]],
])("at %s", (_, name, effort, budget, leftOut) => {
  it("an effort and a budget are sent with every request of the turn, and every receipt rebuilds", async () => {
    await using bench = await TurnBench.open(modelNamed(name));
    bench.simulator.script([NOTE, DONE, DONE, DONE]);
    await say(bench, "one", { effort: "high" });
    expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
    await say(bench, "two", { budget_tokens: 500 });
    expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
    await say(bench, "three", undefined);
    await bench.run();
    const [first, second, third, last] = bench.simulator.requests.map(({ body }) => body);
    expect(first).toMatchObject(effort);
    expect(second).toMatchObject(effort);
    expect(third).toMatchObject(budget);
    for (const field of ["thinking", "reasoning", "reasoning_effort"]) expect(last).not.toHaveProperty(field);
    const texts = told(bench);
    expect(texts).toHaveLength(leftOut.length);
    for (const [nth, words] of leftOut.entries()) expect(texts[nth]).toMatch(words);
    const kept: unknown[] = [];
    for await (const { n, record } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
      const { body, same } = await spellRequest(bench.store, bench.key, past, bench.agent.model);
      expect([body, same]).toEqual([bench.simulator.requests[n - 1]?.bytes, true]);
      kept.push(record.sent?.settings?.reasoning);
    }
    expect(kept).toEqual([{ effort: "high" }, { effort: "high" }, { budget_tokens: 500 }, undefined]);
  });
});

it("a receipt without a version of the conversion is rebuilt as earlier versions sent it", async () => {
  await using bench = await TurnBench.open(modelNamed("anthropic:claude-sonnet-5-5"));
  bench.simulator.script([DONE]);
  await say(bench, "one", { budget_tokens: 5_000 });
  await bench.run();
  const past = await rebuildRequest(bench.store, bench.key, 1, countTokens);
  const { sent } = past.record;
  if (sent === null) throw new Error("The request was not recorded as sent.");
  const old = { ...past, record: { ...past.record, sent: { ...sent, reasoning_rules: undefined } } };
  const { body } = await spellRequest(bench.store, bench.key, old, bench.agent.model);
  expect(JSON.parse(body).thinking).toEqual({ type: "adaptive" });
});

it.each([
  ["us.anthropic.claude-sonnet-5", { thinking: { type: "disabled" } }, []],
  ["us.anthropic.claude-haiku-4-5-20251001-v1:0", { thinking: { type: "disabled" } }, []],
  ["us.anthropic.claude-sonnet-5-5", { thinking: { type: "between_tools" } }, ["thinking cannot be disabled"]],
  ["us.anthropic.claude-opus-5-5", { output_config: { effort: "low" } }, ["thinking cannot be disabled"]],
])("on Bedrock, %s is asked not to think, or as little as it can", async (id, fields, leftOut) => {
  await using bench = await TurnBench.open(modelNamed(`bedrock:${id}`));
  bench.simulator.script([DONE]);
  await say(bench, "one", { effort: "none" });
  expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
  expect(bench.simulator.requests[0]?.body?.additionalModelRequestFields).toEqual(fields);
  expect(told(bench)).toEqual(leftOut.map((words) => expect.stringContaining(words)));
});

it("the lowest effort of a model that always thinks is accepted, and the user is told", async () => {
  await using bench = await TurnBench.open(modelNamed("anthropic:claude-sonnet-5-5"));
  bench.simulator.script([DONE]);
  await say(bench, "one", { effort: "none" });
  expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
  expect(bench.simulator.requests[0]?.body).toMatchObject({ thinking: { type: "between_tools" } });
  expect(told(bench)).toEqual([expect.stringContaining("thinking cannot be disabled")]);
});

it("a message overrides its agent, and a restart keeps what the message asked for", async () => {
  const agent = { request: { reasoning: { effort: "low" } as const } };
  await using bench = await TurnBench.open({ ...modelNamed("openai-compatible:any"), agent });
  bench.simulator.script([NOTE, { reply: { fault: "stall" } }, DONE, DONE]);
  await say(bench, "one", { effort: "max" });
  const end = new AbortController();
  const dies = bench.run({ signal: end.signal });
  await expect.poll(() => bench.simulator.requests.length).toBe(2);
  end.abort();
  await expect(dies).rejects.toThrow();
  await bench.run();
  await say(bench, "two", undefined);
  await bench.run();
  expect(bench.simulator.requests.map(({ body }) => body?.reasoning_effort)).toEqual(["max", "max", "max", "low"]);
});

it("an agent with an effort that does not exist ends its turns with a typed error", async () => {
  const agent = { request: { reasoning: { effort: "extreme" as "high" } } };
  await using bench = await TurnBench.open({ ...modelNamed("openai-compatible:any"), agent });
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "error", error: { code: "bad_settings" } } });
});
