/** One tool whose schema has a union at its root must not end every turn: MCP servers have such tools. */
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { resolveModel } from "../model/resolve-model.ts";
import { rebuildRequest } from "../request/past-request.ts";
import { recordedRequests } from "../request/recorded-requests.ts";
import { spellRequest } from "../request/spell-request.ts";
import { defineTool } from "../tool/tool.ts";

const models = ["anthropic:claude-sonnet-5", "openai:gpt-6.1-sol", "openai-compatible:any"];

describe.each(models)("a tool with a union at the root of its schema, on %s", (name) => {
  it("is offered wrapped, called unwrapped, and its requests are spelled again as they were sent", async () => {
    const given: unknown[] = [];
    const tool = defineTool({
      id: "mcp.shop.find",
      description: "Finds by name or by number.",
      params: z.record(z.string(), z.unknown()),
      schema: {
        type: "object",
        properties: { name: { type: "string" }, number: { type: "integer" } },
        anyOf: [{ required: ["name"] }, { required: ["number"] }],
      },
      run: async (params) => {
        given.push(params);
        return { ok: true, ret: "found" };
      },
    });
    const modelAt = (url: string) =>
      resolveModel(name, {
        ...{ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url, OPENAI_API_KEY: "k", OPENAI_BASE_URL: url },
        ...{ CAIRN_MODEL_BASE_URL: url, CAIRN_MODEL_API_KEY: "k" },
      });
    await using bench = await TurnBench.open({ model: modelAt, agent: { tools: [tool] } });
    bench.simulator.script([
      { reply: { calls: [{ name: "mcp__shop__find", input: { input: { name: "tea" } } }] } },
      // A model that overlooks the wrapping is understood, too.
      { reply: { calls: [{ name: "mcp__shop__find", input: { number: 7 } }] } },
      { reply: { text: "Found." } },
    ]);
    expect(await bench.turn("Find tea.")).toMatchObject({ end: { exit: "complete" } });
    expect(bench.simulator.requests.map(({ refusal }) => refusal)).toEqual([null, null, null]);
    expect(given).toEqual([{ name: "tea" }, { number: 7 }]);
    for await (const { n } of recordedRequests(bench.store, bench.key)) {
      const past = await rebuildRequest(bench.store, bench.key, n, (text) => text.length);
      expect(await spellRequest(bench.store, bench.key, past, bench.agent.model)).toMatchObject({ same: true });
    }
  });
});
