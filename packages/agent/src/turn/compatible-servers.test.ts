/** Tests whole turns on servers with Chat Completions. Each simulated server refuses what the real server refuses. */
import { ModelSimulator } from "@cairn/testkit/models";
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import { FLAT_1 } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { openaiCompatible } from "../model/providers/openai-compatible.ts";
import type { Provider } from "../model/providers/provider.ts";
import { rebuildRequest } from "../receipt/past-request.ts";
import { recordedRequests } from "../receipt/recorded-requests.ts";
import { readRequestRecord } from "../receipt/request-record.ts";
import { spellRequest } from "../receipt/spell-request.ts";
import { resolveModel } from "../resolve/resolve-model.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

function modelAt(baseUrl: string, providers: readonly Provider[] = [openaiCompatible], id = "any") {
  const env = { CAIRN_MODEL_BASE_URL: baseUrl, CAIRN_MODEL_API_KEY: "k" };
  return resolveModel(`openai-compatible:${id}`, env, { providers });
}

function openBench(simulator: BenchOptions["simulator"] = {}) {
  return TurnBench.open({ model: (baseUrl) => modelAt(baseUrl), simulator });
}

const TWO_ROUNDS = [
  { reply: { text: "Noting it.", calls: [{ name: "react__search_files", input: { name: "a.md" } }] } },
  { reply: { calls: [{ name: "react__search_files", input: { name: "b.md" } }] } },
  { reply: { text: "Done." } },
];

const THOUGHTFUL = TWO_ROUNDS.map(({ reply }, nth) => ({ reply: { thinking: `Thought ${nth}.`, ...reply } }));

describe.each([
  ["mistral", "mistral-large-latest", "flat"],
  ["gemma", "gemma-3-27b-it", "flat"],
  ["llama", "llama-3.3-70b-instruct", "flat"],
  ["qwen", "qwen3-coder", "native"],
  ["deepseek", "deepseek-v4-pro", "native"],
  ["kimi", "moonshotai/kimi-k2.6", "native"],
  ["ollama", "gpt-oss:20b", "native"],
] as const)("on a server of %s with %s", (server, id, lowering) => {
  it("two turns with calls are answered, and the server rejects no request", async () => {
    await using bench = await TurnBench.open({
      model: (baseUrl) => modelAt(baseUrl, [openaiCompatible], id),
      simulator: { server },
    });
    bench.simulator.script([...THOUGHTFUL, ...THOUGHTFUL]);
    expect(await bench.turn("Take a note.")).toMatchObject({ end: { exit: "complete" } });
    expect(await bench.turn("And another.")).toMatchObject({ end: { exit: "complete" } });
    expect(bench.simulator.requests.map(({ refusal }) => refusal)).toEqual(Array(6).fill(null));
    const last = bench.simulator.requests.at(-1)?.bytes;
    expect(last?.includes('"role":"tool"')).toBe(lowering === "native");
    expect(last?.includes('"reasoning_content"')).toBe(server === "deepseek" || server === "kimi");
  });
});

describe("reasoning that nothing seals", () => {
  const thoughtsIn = ({ bytes }: { readonly bytes: string }) =>
    (JSON.parse(bytes) as { messages: { role: string; reasoning_content?: string }[] }).messages.flatMap(
      ({ role, reasoning_content }) => (role === "assistant" ? [reasoning_content ?? null] : []),
    );
  const search = (name: string) => ({ name: "react__search_files", input: { name } });

  it("is returned unchanged, is empty where there is none, and every request is rebuilt", async () => {
    await using bench = await TurnBench.open({
      model: (baseUrl) => modelAt(baseUrl, [openaiCompatible], "deepseek-v4-pro"),
      simulator: { server: "deepseek" },
    });
    bench.simulator.script([
      { reply: { calls: [search("x")] } },
      { reply: { thinking: "Two at\nonce. ", text: "Noting.", calls: [search("a"), search("b")] } },
      { reply: { thinking: "Done with it.", text: "Noted." } },
      { reply: { thinking: "Hello?", text: "Yes." } },
    ]);
    await bench.turn("Take notes.");
    await bench.turn("Are you there?");
    expect(bench.simulator.requests.map(({ refusal }) => refusal)).toEqual(Array(4).fill(null));
    expect(bench.simulator.requests.map(thoughtsIn)).toEqual([
      [],
      [""],
      ["", "Two at\nonce. "],
      ["", "Two at\nonce. ", "Done with it."],
    ]);
    for await (const { n } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
      expect(await spellRequest(bench.store, bench.key, past, bench.agent.model)).toMatchObject({ same: true });
    }
  });

  it("is not returned to another model, and the change is declared", async () => {
    await using bench = await TurnBench.open({
      model: (baseUrl) => modelAt(baseUrl, [openaiCompatible], "deepseek-v4-pro"),
      simulator: { server: "deepseek" },
    });
    bench.simulator.script([...THOUGHTFUL, ...THOUGHTFUL]);
    await bench.turn("Take a note.");
    const other = await modelAt(bench.simulator.baseUrl, [openaiCompatible], "deepseek-v4-flash");
    await bench.say("And another.");
    await bench.run({ agent: { ...bench.agent, model: other } });
    expect(bench.simulator.requests.slice(3).map(thoughtsIn)).toEqual([
      ["", "", ""],
      ["", "", "", "Thought 0."],
      ["", "", "", "Thought 0.", "Thought 1."],
    ]);
    const resets = [];
    for await (const { receipt } of recordedRequests(bench.store, bench.key))
      resets.push(receipt.resets.map(({ cause }) => cause));
    expect(resets).toEqual([[], [], [], ["model_changed", "reasoning_dropped"], [], []]);
  });
});

it("the request asks for usage, so that the turn knows its cost", async () => {
  await using bench = await openBench();
  bench.simulator.script(TWO_ROUNDS);
  await bench.turn("Take a note.");
  const usages: number[] = [];
  for await (const { receipt } of recordedRequests(bench.store, bench.key))
    usages.push(receipt.usage?.output_tokens ?? 0);
  expect(usages).toHaveLength(3);
  for (const output of usages) expect(output).toBeGreaterThan(0);
});

it("without reported usage, tokens are estimated so that budgets hold, and the receipt says so", async () => {
  await using bench = await TurnBench.open({
    model: (baseUrl) => modelAt(baseUrl),
    simulator: { tellsUsage: false },
    agent: { budgets: { tokens: 50 } },
  });
  bench.simulator.script([...TWO_ROUNDS.slice(0, 1), { reply: { text: "That is all I may say." } }]);
  await bench.turn("Take a note.");
  const told = [];
  for await (const { receipt, record } of recordedRequests(bench.store, bench.key)) {
    const { input_tokens = 0, output_tokens = 0 } = receipt.usage ?? {};
    told.push([input_tokens > 50, output_tokens > 0, record.usage_estimated]);
  }
  // The budget is used up after the first decision, so the next decision must end the turn.
  expect(told).toEqual([
    [true, true, true],
    [true, true, true],
  ]);
  expect(JSON.stringify(bench.simulator.requests[1]?.body)).toContain('"tool_choice":"none"');
});

it("a conversation that began with version 1 declares the change once, and every request is rebuilt as it was sent", async () => {
  await using bench = await openBench();
  bench.simulator.script([...TWO_ROUNDS, ...TWO_ROUNDS]);
  await bench.say("Take a note.");
  const older = await modelAt(bench.simulator.baseUrl, [{ ...openaiCompatible, flat: FLAT_1, lowering: () => "flat" }]);
  await bench.run({ agent: { ...bench.agent, model: older } });
  await bench.turn("And another.");
  const told = [];
  for await (const { n, receipt, record } of recordedRequests(bench.store, bench.key)) {
    const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
    const { same, body } = await spellRequest(bench.store, bench.key, past, bench.agent.model);
    expect(bench.simulator.requests[n - 1]?.bytes).toBe(body);
    const isDeclared = receipt.resets.some(({ cause }) => cause === "lowering_changed");
    told.push([record.sent?.lowering.version, same, isDeclared]);
  }
  expect(told).toEqual([
    [1, true, false],
    [1, true, false],
    [1, true, false],
    [2, true, true],
    [2, true, false],
    [2, true, false],
  ]);
});

it("a receipt that does not name its lowering means flat version 1", () => {
  const sent = {
    sha256: null,
    bytes: null,
    speller: "x",
    strategy: "economic",
    ttl: "5m",
    cache_key: "c",
    max_output_tokens: 1,
    tool_choice: "auto",
  };
  expect(readRequestRecord({ sent } as never).sent?.lowering).toEqual({ name: "flat", version: 1 });
});

it("the servers reject different things than OpenAI's own", async () => {
  const body = {
    model: "m",
    messages: [
      { role: "user", content: "one" },
      {
        role: "user",
        content: [
          { type: "text", text: "two" },
          { type: "file", file: { file_data: "data:application/pdf;base64,AAAA" } },
        ],
      },
    ],
  };
  const refusalOf = async (server: "mistral" | "gemma" | "deepseek" | "ollama" | "qwen") => {
    await using simulator = await ModelSimulator.start({ countTokens, server });
    simulator.script([{ reply: { text: "ok" } }]);
    const headers = { "content-type": "application/json", authorization: "Bearer key" };
    await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
    return simulator.requests[0]?.refusal;
  };
  expect(await refusalOf("mistral")).toContain("must alternate");
  expect(await refusalOf("gemma")).toContain("must alternate");
  expect(await refusalOf("deepseek")).toContain("unknown variant `file`, expected `text`");
  expect(await refusalOf("ollama")).toBe("invalid message format");
  expect(await refusalOf("qwen")).toBeNull();
});

describe("files on a server that accepts text only", () => {
  const PNG = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n");
  const answers = (bench: TurnBench, count: number) =>
    bench.simulator.script(Array.from({ length: count }, () => ({ reply: { text: "I see." } })));
  const refused = (bench: TurnBench) => bench.simulator.requests.filter(({ refusal }) => refusal !== null).length;

  it("DeepSeek: a picture and a PDF are described after one refusal each, and never sent again", async () => {
    await using bench = await openBench({ server: "deepseek" });
    answers(bench, 3);
    await bench.attach("a.png", "image/png", PNG);
    await bench.attach("b.pdf", "application/pdf", PDF);
    expect(await bench.turn("Look.")).toMatchObject({ end: { exit: "complete" } });
    expect(refused(bench)).toBe(2);
    await bench.attach("c.png", "image/png", PNG);
    expect(await bench.turn("And this?")).toMatchObject({ end: { exit: "complete" } });
    expect(await bench.turn("Thanks.")).toMatchObject({ end: { exit: "complete" } });
    expect(refused(bench)).toBe(2);
    const texts = bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";
    expect(texts.match(/<image media_type=image\/png: not shown/g)).toHaveLength(2);
    expect(texts).toContain("<document media_type=application/pdf: not shown");
    expect(texts).toContain("c.png");
  });

  it("a model that is registered as text-only is never sent a file", async () => {
    await using bench = await TurnBench.open({
      model: (baseUrl) => modelAt(baseUrl, [openaiCompatible], "deepseek-v4-flash"),
      simulator: { server: "deepseek" },
    });
    answers(bench, 1);
    await bench.attach("a.png", "image/png", PNG);
    expect(await bench.turn("Look.")).toMatchObject({ end: { exit: "complete" } });
    expect(refused(bench)).toBe(0);
  });

  it("a request without files that is rejected for its size is retried once, after a compaction", async () => {
    await using bench = await TurnBench.open({
      model: (baseUrl) => modelAt(baseUrl, [openaiCompatible], "deepseek-v4-flash"),
    });
    const tooLarge = { fault: "status", status: 413, message: "Request Entity Too Large" } as const;
    bench.simulator.script([{ reply: tooLarge, times: 5 }, { reply: { text: "At last." } }]);
    await bench.attach("a.png", "image/png", PNG);
    expect(await bench.turn("Look.")).toMatchObject({ end: { exit: "error" } });
    expect(bench.simulator.requests).toHaveLength(2);
  });

  it("Ollama: a PDF is described after one refusal, and pictures are still sent", async () => {
    await using bench = await openBench({ server: "ollama" });
    answers(bench, 2);
    await bench.attach("a.png", "image/png", PNG);
    await bench.attach("b.pdf", "application/pdf", PDF);
    expect(await bench.turn("Look.")).toMatchObject({ end: { exit: "complete" } });
    expect(await bench.turn("Thanks.")).toMatchObject({ end: { exit: "complete" } });
    expect(refused(bench)).toBe(1);
    const last = bench.simulator.requests.at(-1)?.bytes ?? "";
    expect(last).toContain('"type":"image_url"');
    expect(last).not.toContain('"type":"file"');
  });

  it("a described file is rebuilt as it was sent, and declared if it had been shown before", async () => {
    await using bench = await openBench({ server: "kimi" });
    const textOnly = await modelAt(bench.simulator.baseUrl, [openaiCompatible], "deepseek-v4-flash");
    answers(bench, 3);
    await bench.attach("a.png", "image/png", PNG);
    await bench.turn("Look.");
    await bench.say("And now?");
    await bench.run({ agent: { ...bench.agent, model: textOnly } });
    await bench.attach("b.png", "image/png", PNG);
    await bench.say("And this?");
    await bench.run({ agent: { ...bench.agent, model: textOnly } });
    const told = [];
    for await (const { n, receipt, model } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, countTokens);
      const speller = model === textOnly.id ? textOnly : bench.agent.model;
      const { same } = await spellRequest(bench.store, bench.key, past, speller);
      told.push([same, receipt.resets.map(({ cause }) => cause)]);
    }
    expect(told).toEqual([
      [true, []],
      [true, ["lowering_changed", "model_changed"]],
      [true, []],
    ]);
  });
});
