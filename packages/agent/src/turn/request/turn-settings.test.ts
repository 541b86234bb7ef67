/** Tests settings of requests: settings of the agent, settings of the message, and settings that providers reject. */
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { rebuildRequest } from "../../receipt/past-request.ts";
import { recordedRequests } from "../../receipt/recorded-requests.ts";
import { spellRequest } from "../../receipt/spell-request.ts";
import { resolveModel } from "../../resolve/resolve-model.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const SETTINGS = {
  temperature: 0.3,
  top_p: 0.9,
  stop: ["THE END"],
  seed: 7,
  max_output_tokens: 321,
  tool_choice: "required",
  provider_options: {},
};
const NOTE = { reply: { calls: [{ name: "react__write", input: { path: "a.md", content: "Hi." } }] } };
const DONE = { reply: { text: "Done." } };

const bodies = (bench: TurnBench) => bench.simulator.requests.map(({ body }) => body);
const told = (bench: TurnBench) =>
  bench.signals.flatMap((signal) => (signal.type === "progress" && signal.callId === "model" ? [signal.text] : []));

async function expectSpelled(bench: TurnBench): Promise<void> {
  for await (const { n } of recordedRequests(bench.store, bench.key)) {
    const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
    const { body, same } = await spellRequest(bench.store, bench.key, past, bench.agent.model);
    expect([body, same]).toEqual([bench.simulator.requests[n - 1]?.bytes, true]);
  }
}

const openai: BenchOptions = {
  model: (url) => resolveModel("openai:gpt-4.1", { OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }),
};
const compatible: BenchOptions = {
  model: (url) => resolveModel("openai-compatible:any", { CAIRN_MODEL_BASE_URL: url, CAIRN_MODEL_API_KEY: "k" }),
};

describe.each<[string, BenchOptions, object, readonly string[]]>([
  [
    "Anthropic",
    {},
    { stop_sequences: ["THE END"], max_tokens: 321, tool_choice: { type: "any" } },
    ["seed", "temperature", "top_p"],
  ],
  [
    "OpenAI Responses",
    openai,
    { temperature: 0.3, top_p: 0.9, max_output_tokens: 321, tool_choice: "required" },
    ["seed", "stop"],
  ],
  [
    "a compatible server",
    compatible,
    { temperature: 0.3, top_p: 0.9, stop: ["THE END"], seed: 7, max_tokens: 321, tool_choice: "required" },
    [],
  ],
])("at %s", (_, options, body, leftOut) => {
  it("the settings of a message are sent with every request of its turn, and every receipt rebuilds", async () => {
    await using bench = await TurnBench.open(options);
    bench.simulator.script([NOTE, DONE, DONE]);
    await bench.say("Write", "turn", SETTINGS);
    expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
    await bench.turn("And now?");
    const [first, second, next] = bodies(bench);
    expect(first).toMatchObject(body);
    const { tool_choice: _choice, ...rest } = body as Record<string, unknown>;
    expect(second).toMatchObject(rest);
    // The choice is dropped after the first request: a model that must always call a tool would never answer.
    expect(second).not.toMatchObject({ tool_choice: (body as Record<string, unknown>).tool_choice });
    expect(next).not.toHaveProperty("temperature");
    await expectSpelled(bench);
  });

  it("settings that the provider does not support are left out, and this is reported once", async () => {
    await using bench = await TurnBench.open(options);
    bench.simulator.script([NOTE, DONE]);
    await bench.say("Write", "turn", SETTINGS);
    await bench.run();
    expect(
      told(bench)
        .map((text) => / the setting (\w+)/.exec(text)?.[1])
        .sort(),
    ).toEqual(leftOut);
  });
});

it("a restart sends the rest of the turn with the same settings", async () => {
  await using bench = await TurnBench.open(compatible);
  bench.simulator.script([NOTE, { reply: { text: "Half", interrupt: { after: 1, by: "stall" } } }, DONE]);
  await bench.say("Write", "turn", { temperature: 0.2 });
  const end = new AbortController();
  const listener: Parameters<typeof bench.run>[0] = {
    signal: end.signal,
    listener: (signal) => signal.type === "delta" && signal.text.includes("Half") && end.abort(),
  };
  await expect(bench.run(listener)).rejects.toThrow();
  expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
  expect(bodies(bench).map((body) => body?.temperature)).toEqual([0.2, 0.2, 0.2]);
});

it("a restart before the first request sends it with the settings of the message", async () => {
  await using bench = await TurnBench.open(compatible);
  bench.simulator.script([{ reply: { fault: "stall" } }, DONE]);
  await bench.say("Write", "turn", { temperature: 0.2 });
  const end = new AbortController();
  const dies = bench.run({ signal: end.signal });
  await expect.poll(() => bench.simulator.requests.length).toBe(1);
  end.abort();
  await expect(dies).rejects.toThrow();
  await bench.run();
  expect(bodies(bench).map((body) => body?.temperature)).toEqual([0.2, 0.2]);
});

it("the settings of a message override those of the agent", async () => {
  await using bench = await TurnBench.open({
    agent: {
      request: { maxOutputTokens: 900, stop: ["X"], providerOptions: { anthropic: { metadata: { userId: "u" } } } },
    },
  });
  bench.simulator.script([DONE, DONE]);
  await bench.turn("One");
  await bench.say("Two", "turn", { max_output_tokens: 100, provider_options: { anthropic: { serviceTier: "auto" } } });
  await bench.run();
  const [one, two] = bodies(bench);
  expect(one).toMatchObject({ max_tokens: 900, stop_sequences: ["X"], metadata: { user_id: "u" } });
  expect(two).toMatchObject({ max_tokens: 100, stop_sequences: ["X"], metadata: { user_id: "u" } });
  await expectSpelled(bench);
});

it("a tool that a message asks for is called first, by the name the provider knows", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([NOTE, DONE]);
  await bench.say("Write", "turn", { tool_choice: { tool: "react.write" } });
  await bench.run();
  expect(bodies(bench).map((body) => body?.tool_choice ?? null)).toEqual([
    { type: "tool", name: "react__write" },
    null,
  ]);
  await expectSpelled(bench);
});

it("an answer that reaches a limit from the settings is not continued", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: "Only so much", truncated: true } }]);
  await bench.say("Tell", "turn", { max_output_tokens: 5 });
  expect(await bench.run()).toMatchObject({
    end: { exit: "complete", interrupted: true, text: expect.stringMatching(/^Only so much…/) },
  });
  expect(bench.simulator.requests).toHaveLength(1);
});

it("invalid settings of an agent are named in the error too", async () => {
  await using bench = await TurnBench.open({ agent: { request: { temperature: 9 } } });
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "error", error: { code: "bad_settings" } } });
});

it.each([
  [{ temperature: 9 }, "temperature"],
  [{ temprature: 0.5 }, "temprature"],
  ["hot", "settings"],
])("invalid settings end the turn with an error that names them: %j", async (settings, name) => {
  await using bench = await TurnBench.open();
  await bench.say("Hello", "turn", settings);
  expect(await bench.run()).toMatchObject({
    end: { exit: "error", error: { code: "bad_settings", message: expect.stringContaining(name) } },
  });
  expect(bench.simulator.requests).toHaveLength(0);
});

it("a provider option that its package rejects ends the turn without a retry", async () => {
  const providerOptions = { anthropic: { thinking: "yes" } };
  await using bench = await TurnBench.open({ agent: { request: { providerOptions } } });
  expect(await bench.turn("Hello")).toMatchObject({
    end: { error: { code: "model_fatal", message: "invalid anthropic provider options" } },
  });
  expect(bench.signals.filter(({ type }) => type === "waiting")).toEqual([]);
});
