/** Tests turns with tools whose schemas a provider would reject, as some MCP servers have. */
import { simulatorEnv } from "@cairn/testkit/models";
import { type BenchOptions, TurnBench } from "@cairn/testkit/turns";
import type { JsonObject } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rebuildRequest } from "../receipt/past-request.ts";
import { recordedRequests } from "../receipt/recorded-requests.ts";
import { spellRequest } from "../receipt/spell-request.ts";
import { resolveModel } from "../resolve/resolve-model.ts";
import { defineTool } from "../tool/tool.ts";

type Simulator = NonNullable<BenchOptions["simulator"]>;

const MODELS: readonly (readonly [string, Simulator])[] = [
  ["anthropic:claude-sonnet-5", {}],
  ["bedrock:us.anthropic.claude-sonnet-5", {}],
  ["openai:gpt-6.1-sol", {}],
  ["google:gemini-4-argon", {}],
  ["openai-compatible:any", {}],
  ["openai-compatible:google/gemini-3.8-flash", { server: "gemini" }],
];

function toolWith(schema: JsonObject, given: unknown[]) {
  return defineTool({
    id: "mcp.shop.find",
    description: "Finds by name or by number.",
    params: z.record(z.string(), z.unknown()),
    schema,
    run: async (params) => {
      given.push(params);
      return { ok: true, ret: "found" };
    },
  });
}

function openBench(name: string, simulator: Simulator, schema: JsonObject, given: unknown[]) {
  const modelAt = (url: string) => resolveModel(name, simulatorEnv(url));
  return TurnBench.open({ model: modelAt, simulator, agent: { tools: [toolWith(schema, given)] } });
}

async function expectSpelledAgain(bench: TurnBench): Promise<void> {
  expect(bench.simulator.requests.map(({ refusal }) => refusal)).not.toContainEqual(expect.any(String));
  for await (const { n } of recordedRequests(bench.store, bench.key)) {
    const past = await rebuildRequest(bench.store, bench.key, n, (text) => text.length);
    expect(await spellRequest(bench.store, bench.key, past, bench.agent.model)).toMatchObject({ same: true });
  }
}

const ROOT_UNION = {
  type: "object",
  properties: { name: { type: "string" }, number: { type: "integer" } },
  anyOf: [{ required: ["name"] }, { required: ["number"] }],
};

describe.each(MODELS)("on %s", (name, simulator) => {
  it("a tool with a union at the root of its schema is offered, called and serialised again", async () => {
    const given: unknown[] = [];
    await using bench = await openBench(name, simulator, ROOT_UNION, given);
    bench.simulator.script([
      { reply: { calls: [{ name: "mcp__shop__find", input: { input: { name: "tea" } } }] } },
      // The parameters of a model that ignored the wrapped schema are accepted, too.
      { reply: { calls: [{ name: "mcp__shop__find", input: { number: 7 } }] } },
      { reply: { text: "Found." } },
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject({ end: { exit: "complete" } });
    // Google accepts a union at the root of a schema, so its models need no wrapping.
    expect(given.map((each) => (each as { input?: unknown }).input ?? each)).toEqual([{ name: "tea" }, { number: 7 }]);
    await expectSpelledAgain(bench);
  });

  it("a tool with unusual names and keywords is offered, called by its own names and serialised again", async () => {
    const given: unknown[] = [];
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        "filter[id]": { type: ["string", "null"], pattern: "^[a-z]+$" },
        kind: { const: "tea" },
        shop: { type: "string", enum: [] },
        tags: { type: "array", uniqueItems: true },
        place: { $ref: "#/$defs/place", description: "Where to look." },
        least: { type: "number", exclusiveMinimum: 0 },
      },
      required: ["filter[id]"],
      $defs: { place: { type: "object", properties: { city: { type: "string" } }, additionalProperties: false } },
    };
    await using bench = await openBench(name, simulator, schema, given);
    const called = { kind: "tea", tags: ["green"], place: { city: "Uji" } };
    bench.simulator.script([
      {
        reply: ({ body }) => {
          const [id = ""] = /filter.id.(?=":)/.exec(JSON.stringify(body)) ?? [];
          return { calls: [{ name: "mcp__shop__find", input: { [id]: "sencha", ...called } }] };
        },
      },
      { reply: { text: "Found." } },
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject({ end: { exit: "complete" } });
    expect(given).toEqual([{ "filter[id]": "sencha", ...called }]);
    await expectSpelledAgain(bench);
  });
});

// Google sends the parameters of a call in one piece.
describe.each(MODELS.filter(([name]) => !name.startsWith("google:")))("on %s", (name, simulator) => {
  it("a call of a tool with a wrapped schema that is cut off is repeated, and runs with the tool's own parameters", async () => {
    const given: unknown[] = [];
    await using bench = await openBench(name, simulator, ROOT_UNION, given);
    const whole = JSON.stringify({ input: { name: "green tea" } });
    bench.simulator.script([
      { reply: { calls: [{ name: "mcp__shop__find", rawInput: whole.slice(0, -8) }], truncated: true } },
      {
        reply: ({ texts }) =>
          texts.join("").includes("Make that call now.")
            ? { calls: [{ name: "mcp__shop__find", rawInput: whole }] }
            : { text: whole.slice(-12) },
      },
      { reply: { text: "Found." } },
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject({ end: { exit: "complete", text: "Found." } });
    expect(given).toEqual([{ name: "green tea" }]);
    expect(bench.simulator.requests).toHaveLength(3);
  });
});
