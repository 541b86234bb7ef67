/** Tests agents with a fallback: which model answers when their own cannot, and which one answers the next turn. */
import type { Step } from "@cairn/testkit/models";
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { rebuildRequest } from "../../receipt/past-request.ts";
import { recordedRequests } from "../../receipt/recorded-requests.ts";
import { spellRequest } from "../../receipt/spell-request.ts";
import { resolveModel } from "../../resolve/resolve-model.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);
const OWN = "anthropic:claude-sonnet-5";
const SECOND = "openai:gpt-4.1";
const START = Date.parse("2026-02-09T10:00:00Z");

/** An agent with an Anthropic model and an OpenAI fallback, both at one simulator. */
async function open(small = false) {
  const bench = await TurnBench.open();
  const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: bench.simulator.baseUrl };
  const second = await resolveModel(SECOND, env);
  const tiny = { ...second, id: "openai:tiny", contextTokens: 500 };
  const agent = { ...bench.agent, fallback: small ? [tiny, second] : [second] };
  const own = (reply: Step["reply"], times = 1): Step => ({ when: ({ api }) => api === "anthropic", reply, times });
  const other = (reply: Step["reply"]): Step => ({ when: ({ api }) => api === "openai-responses", reply });
  let clock = START;
  const run = async (message: string | null, at = 0, options = {}) => {
    if (message !== null) await bench.say(message);
    clock = Math.max(clock, START + at);
    return bench.run({ agent, now: () => (clock += 10), ...options });
  };
  const receipts = async () => {
    const told = [];
    for await (const { n, record, receipt } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
      const model = record.model === OWN ? bench.agent.model : second;
      const { same } = await spellRequest(bench.store, bench.key, past, model);
      expect(same).toBe(true);
      const changed = receipt.resets.some(({ cause }) => cause === "model_changed");
      const { cache_read_tokens: read } = receipt.usage ?? {};
      told.push({ model: record.model, changed, predicted: record.cache?.predicted_read ?? null, read });
    }
    return told;
  };
  const notices = async () =>
    (await bench.blocks()).filter(({ type }) => type === "react.notice").map(({ text = "" }) => JSON.parse(text));
  return { bench, own, other, run, receipts, notices, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

describe("the fallback answers at once, with a notice, when the agent's own model", () => {
  it.each([
    ["does not know the key", { fault: "status", status: 401 }],
    ["does not exist", { fault: "status", status: 404 }],
    ["has no credit left", { fault: "status", status: 402, message: "Your credit balance is too low." }],
    ["does not take the request", { fault: "status", status: 400, message: "No." }],
    ["asks for more time than is worth waiting", { fault: "overloaded", retryAfter: 60 }],
  ] as const)("%s", async (_, fault) => {
    await using at = await open();
    at.bench.simulator.script([at.own(fault), at.other({ text: "Here I am." })]);
    expect(await at.run("Hello")).toMatchObject({ end: { exit: "complete", text: "Here I am." } });
    expect(at.bench.simulator.requests).toHaveLength(2);
    expect(await at.receipts()).toMatchObject([{ model: SECOND }]);
    expect(await at.notices()).toMatchObject([
      {
        code: "model_fallback",
        message: expect.stringMatching(`^${OWN} could not answer: .*${SECOND} answers instead`),
      },
    ]);
  });
});

it("an overload is retried briefly, and then the fallback answers", async () => {
  await using at = await open();
  at.bench.simulator.script([at.own({ fault: "overloaded" }, 99), at.other({ text: "Here." })]);
  expect(await at.run("Hello")).toMatchObject({ end: { text: "Here." } });
  expect(at.bench.simulator.requests.filter(({ request }) => request?.api === "anthropic")).toHaveLength(5);
});

it("a model whose only fallback has too small a window is retried as if it had none", async () => {
  await using bench = await TurnBench.open();
  const tiny = { ...bench.agent.model, id: "openai:tiny", contextTokens: 500 };
  bench.simulator.script([{ reply: { fault: "overloaded" }, times: 12 }, { reply: { text: "Back." } }]);
  await bench.say("Hello");
  const outcome = await bench.run({ agent: { ...bench.agent, fallback: [tiny] } });
  expect(outcome).toMatchObject({ end: { exit: "complete", text: "Back." } });
});

it("the fallback is used until the end of the turn, also after a restart", async () => {
  await using at = await open();
  const call = { name: "react__write", input: { path: "a.md", content: "Hi." } };
  at.bench.simulator.script([
    at.own({ fault: "status", status: 401 }),
    at.other({ calls: [call] }),
    at.other({ text: "Half", interrupt: { after: 1, by: "stall" } }),
    at.other({ text: "Done." }),
  ]);
  const end = new AbortController();
  const dies = at.run("Write", 0, {
    signal: end.signal,
    listener: (signal: { type: string; text?: string }) =>
      signal.type === "delta" && signal.text?.includes("Half") && end.abort(),
  });
  await expect(dies).rejects.toThrow();
  expect(await at.run(null, 3_600_000)).toMatchObject({ end: { exit: "complete", text: "Done." } });
  expect(at.bench.simulator.requests.map(({ request }) => request?.api)).toEqual([
    "anthropic",
    ...Array(3).fill("openai-responses"),
  ]);
});

it("the agent's own model is tried again after two minutes, and reads what its cache still holds", async () => {
  await using at = await open();
  const long = `${"A long text to be cached. ".repeat(400)}`;
  at.bench.simulator.script([
    at.own({ text: "One." }),
    at.own({ fault: "status", status: 503 }, 5),
    at.other({ text: "Two." }),
    at.other({ text: "Three." }),
    at.own({ text: "Four." }),
  ]);
  await at.run(long);
  await at.run("Second", 10_000);
  await at.run("Third", 60_000);
  await at.run("Fourth", 180_000);
  const told = await at.receipts();
  expect(told.map(({ model, changed }) => [model, changed])).toEqual([
    [OWN, false],
    [SECOND, true],
    [SECOND, false],
    [OWN, true],
  ]);
  const back = told.at(-1);
  expect(back?.predicted).toBeGreaterThan(1_000);
  expect(back?.read).toBe(back?.predicted);
});

it("a fallback whose window is too small for the agent is skipped", async () => {
  await using at = await open(true);
  at.bench.simulator.script([at.own({ fault: "status", status: 401 }), at.other({ text: "Here." })]);
  expect(await at.run("Hello")).toMatchObject({ end: { text: "Here." } });
  expect((await at.notices()).map(({ message }) => message)).not.toContain("tiny");
});

it("when no model answers, the turn ends with the error of the last one", async () => {
  await using at = await open();
  at.bench.simulator.script([
    at.own({ fault: "status", status: 401 }),
    at.other({ fault: "status", status: 403, message: "Not in your country." }),
  ]);
  expect(await at.run("Hello")).toMatchObject({
    end: { exit: "error", text: expect.stringContaining("Not in your country.") },
  });
});

it("an answer that one model began is continued by the fallback", async () => {
  await using at = await open();
  at.bench.simulator.script([
    at.own({ text: "The harbour was built in ", truncated: true }),
    at.own({ fault: "status", status: 401 }),
    at.other({ text: "1867." }),
  ]);
  expect(await at.run("Tell me")).toMatchObject({ end: { exit: "complete", text: "The harbour was built in 1867." } });
  expect((await at.receipts()).map(({ model }) => model)).toEqual([OWN, SECOND]);
});

it("a refusal is the model's answer, and no fallback is tried", async () => {
  await using at = await open();
  at.bench.simulator.script([at.own({ text: "I will not.", refusal: "policy" })]);
  expect(await at.run("Do it")).toMatchObject({ end: { text: "I will not." } });
  expect(at.bench.simulator.requests).toHaveLength(1);
});
