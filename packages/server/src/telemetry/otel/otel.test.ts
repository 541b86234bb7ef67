/** Tests which data about requests and turns a collector receives over real OTLP, and which data it must not get. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, defineTool, reactTools, resolveModel } from "@cairn/agent";
import { ModelSimulator } from "@cairn/testkit/models";
import { scriptedModel } from "cairn-agent/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { Collector } from "../../../test/collector.ts";
import { ServerBench } from "../../../test/server-bench.ts";

const WORD = "Zanzibar";
const lookUp = defineTool({
  id: "shop.look_up",
  description: "Looks things up.",
  params: z.object({ what: z.string() }),
  run: async ({ what }) => ({ ok: true, ret: { found: `${what} of ${WORD}` } }),
});

function tell(collector: Collector, more: Readonly<Record<string, string>> = {}): void {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address);
  for (const [name, value] of Object.entries(more)) vi.stubEnv(name, value);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a server that tells a collector", () => {
  it("sends requests, turns, model requests and tool calls as spans, as the conventions name them", async () => {
    await using collector = await Collector.open();
    tell(collector, { OTEL_SERVICE_NAME: "shop", OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" });
    const simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
    simulator.script([
      { reply: { text: "I look.", calls: [{ name: "shop__look_up", input: { what: WORD } }] } },
      { reply: { text: `It is ${WORD}.` } },
    ]);
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
    const model = await resolveModel("anthropic:claude-sonnet-5", env);
    const instructions = "You help. ".repeat(1_000);
    const agent = defineAgent({ name: "clerk", instructions, model, tools: [...reactTools(), lookUp] });
    const bench = await ServerBench.open({ agents: [agent], settings: { CAIRN_OTEL: "1" } });
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const id = await bench.converse();
    await bench.say(id, `What is ${WORD}?`);
    await bench.fetch(`/api/conversations/${id}/blocks?q=${WORD}`, { headers: { traceparent } });
    await bench.fetch("/api/conversations/none", { headers: { traceparent: "00-0-0-zz" } });
    await bench.fetch("/api/nothing-here");
    await bench[Symbol.asyncDispose]();
    await simulator.close();

    expect(collector.problems).toEqual([]);
    const { spans } = collector;
    const [turn] = spans.filter(({ attributes }) => attributes["cairn.turn.exit"] === "complete");
    expect(turn).toMatchObject({
      name: "invoke_agent clerk",
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "clerk",
        "gen_ai.conversation.id": id,
        "cairn.tenant": "local",
        "cairn.turn.id": expect.stringMatching(/./),
        "gen_ai.provider.name": "anthropic",
      },
    });
    const chats = spans.filter(({ name }) => name === "chat claude-sonnet-5");
    expect(chats).toHaveLength(2);
    for (const chat of chats)
      expect(chat).toMatchObject({
        kind: 3,
        traceId: turn?.traceId,
        parentSpanId: turn?.spanId,
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "anthropic",
          "gen_ai.request.model": "claude-sonnet-5",
          "gen_ai.conversation.id": id,
          "gen_ai.system": "anthropic",
          "gen_ai.response.model": expect.stringMatching(/^claude-/),
          "gen_ai.response.id": expect.stringMatching(/./),
          "gen_ai.usage.output_tokens": expect.any(Number),
          "gen_ai.request.max_tokens": expect.any(Number),
        },
      });
    const [first, second] = chats.map(({ attributes }) => attributes);
    for (const attributes of [first, second])
      expect([attributes?.["gen_ai.usage.prompt_tokens"], attributes?.["gen_ai.usage.completion_tokens"]]).toEqual([
        attributes?.["gen_ai.usage.input_tokens"],
        attributes?.["gen_ai.usage.output_tokens"],
      ]);
    expect(first?.["gen_ai.response.finish_reasons"]).toEqual(["tool_call"]);
    expect(second?.["gen_ai.response.finish_reasons"]).toEqual(["stop"]);
    expect(first?.["gen_ai.usage.cache_creation.input_tokens"]).toBeGreaterThan(1_000);
    expect(second?.["gen_ai.usage.cache_read.input_tokens"]).toBeGreaterThan(1_000);
    expect(second?.["gen_ai.usage.input_tokens"]).toBeGreaterThan(
      Number(second?.["gen_ai.usage.cache_read.input_tokens"]),
    );
    const tools = spans.filter(({ name }) => name === "execute_tool shop.look_up");
    expect(tools).toMatchObject([
      {
        parentSpanId: turn?.spanId,
        attributes: {
          "gen_ai.tool.name": "shop.look_up",
          "gen_ai.tool.type": "function",
          "gen_ai.tool.call.id": expect.stringMatching(/./),
          "cairn.call.outcome": "ok",
        },
      },
    ]);
    const asked = spans.find(({ name }) => name === "GET /api/conversations/{id}/blocks");
    expect(asked).toMatchObject({
      kind: 2,
      traceId,
      parentSpanId: "b7ad6b7169203331",
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "url.scheme": "http",
        "http.route": "/api/conversations/{id}/blocks",
      },
    });
    const [elsewhere] = spans.filter(({ name }) => name === "GET");
    expect(elsewhere?.attributes).toMatchObject({ "http.response.status_code": 404 });
    expect(elsewhere?.attributes).not.toHaveProperty("http.route");
    const missed = spans.find(({ name }) => name === "GET /api/conversations/{id}");
    expect(missed?.parentSpanId ?? "").toBe("");
    for (const { startTimeUnixNano, endTimeUnixNano } of spans)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    expect(collector.resources[0]).toMatchObject({ "service.name": "shop", "deployment.environment.name": "test" });

    expect([...collector.metrics.keys()]).toEqual(
      expect.arrayContaining([
        ...["http.server.request.duration", "cairn.turn.duration", "cairn.turns.running", "cairn.followers"],
        ...["gen_ai.client.operation.duration", "gen_ai.client.token.usage"],
      ]),
    );
    const kinds = collector.metrics.get("gen_ai.client.token.usage")?.map((point) => point["gen_ai.token.type"]);
    expect(kinds?.toSorted()).toEqual(["input", "output"]);
    expect(collector.received.join("")).not.toContain(WORD);
  });

  it("links a turn to the request that brought its message, also if another process runs it", async () => {
    await using collector = await Collector.open();
    tell(collector);
    const folder = await mkdtemp(join(tmpdir(), "cairn-traced-"));
    const settings = { CAIRN_OTEL: "1", CAIRN_DATA_DIR: folder };
    const agents = [
      defineAgent({ name: "clerk", instructions: "You help.", model: scriptedModel([{ say: "Hello." }]) }),
    ];
    const first = await ServerBench.open({ agents, settings: { ...settings, CAIRN_CONCURRENCY: "0" } });
    const id = await first.converse();
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    await first.post(
      `/api/conversations/${id}/turns`,
      { message: "Hello" },
      { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    );
    await first[Symbol.asyncDispose]();
    const second = await ServerBench.open({ agents, settings });
    await second.until(id, ({ event }) => event === "turn.closed");
    await second[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
    const request = collector.spans.find(({ name }) => name === "POST /api/conversations/{id}/turns");
    const turn = collector.spans.find(({ name }) => name === "invoke_agent clerk");
    expect(request).toMatchObject({ traceId });
    expect(turn?.links).toEqual([{ traceId, spanId: request?.spanId }]);
    expect(turn?.traceId).not.toBe(traceId);
  });

  it("marks what failed, and says only what kind of failure it was", async () => {
    await using collector = await Collector.open();
    tell(collector);
    await using simulator = await ModelSimulator.start({ countTokens: (text) => text.length });
    const model = await resolveModel("anthropic:claude-sonnet-5", {
      ANTHROPIC_API_KEY: "test",
      ANTHROPIC_BASE_URL: simulator.baseUrl,
    });
    simulator.script([{ reply: { fault: "status", status: 401, message: `No ${WORD}` } }]);
    const agent = defineAgent({ name: "clerk", instructions: "You help.", model });
    const bench = await ServerBench.open({ agents: [agent], settings: { CAIRN_OTEL: "1" } });
    await bench.say(await bench.converse(), "Hello");
    await bench[Symbol.asyncDispose]();
    const chat = collector.spans.find(({ name }) => name.startsWith("chat "));
    expect(chat).toMatchObject({ status: { code: 2 }, attributes: { "error.type": "model_fatal" } });
    expect(collector.spans.find(({ name }) => name.startsWith("invoke_agent"))).toMatchObject({ status: { code: 2 } });
    expect(collector.received.join("")).not.toContain(WORD);
  });

  it("sends no spans when none are sampled, and stops even if the collector is gone", async () => {
    const collector = await Collector.open();
    tell(collector, { OTEL_TRACES_SAMPLER: "always_off", OTEL_METRIC_EXPORT_INTERVAL: "100" });
    const bench = await ServerBench.open({ settings: { CAIRN_OTEL: "1" } });
    await bench.get("/api/meta");
    await expect.poll(() => collector.metrics.size, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(collector.spans).toEqual([]);
    await collector[Symbol.asyncDispose]();
    await bench[Symbol.asyncDispose]();
  });

  it("answers, runs turns and stops even if the collector never answers", {
    timeout: 60_000,
  }, async () => {
    await using collector = await Collector.open();
    collector.isStuck = true;
    tell(collector, { OTEL_METRIC_EXPORT_INTERVAL: "50", OTEL_BSP_SCHEDULE_DELAY: "50" });
    const bench = await ServerBench.open({ settings: { CAIRN_OTEL: "1" } });
    const { turns } = await bench.say(await bench.converse(), "Hello");
    expect(turns).toMatchObject([{ exit: "complete" }]);
    await expect.poll(() => collector.received.length, { timeout: 20_000 }).toBeGreaterThan(0);
    await bench[Symbol.asyncDispose]();
  });

  it.each([
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_BSP_SCHEDULE_DELAY", "soon"],
  ])("does not start with a wrong %s", async (name, value) => {
    vi.stubEnv(name, value);
    const starting = ServerBench.open({ settings: { CAIRN_OTEL: "1" } });
    await expect(starting).rejects.toMatchObject({ code: "bad_setting", message: expect.stringContaining(name) });
  });
});

describe("a server that tells nobody", () => {
  it("sends nothing, whatever the standard variables say", async () => {
    await using collector = await Collector.open();
    tell(collector, { OTEL_METRIC_EXPORT_INTERVAL: "10", OTEL_BSP_SCHEDULE_DELAY: "10" });
    const bench = await ServerBench.open();
    await bench.say(await bench.converse(), "Hello");
    await bench[Symbol.asyncDispose]();
    expect(collector.received).toEqual([]);
  });
});
