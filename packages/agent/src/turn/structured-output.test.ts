/**
 * Tests messages that ask for structured output: the turn ends with a value that matches the schema, or with an error.
 * This works over every wire format, beside tools and citations, and without changing the prefix of the conversation.
 */
import { simulatorEnv } from "@cairn/testkit/models";
import { TurnBench, toldRequests } from "@cairn/testkit/turns";
import { type JsonObject, structuredOutput } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readOutputSchema } from "../output/output-schema.ts";
import { readOutput } from "../output/read-output.ts";
import { resolveModel } from "../resolve/resolve-model.ts";

const GRADE: JsonObject = {
  type: "object",
  properties: { score: { type: "number" }, why: { type: "string" } },
  required: ["score", "why"],
  additionalProperties: false,
};
const value = { score: 3, why: "It is short." };
const give = (output: unknown) => ({ name: "give_output", input: { output } as JsonObject });

const WIRES = [
  ["anthropic:claude-sonnet-5", "native", "output_config"],
  ["bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0", "native", "output_config"],
  ["bedrock:us.anthropic.claude-sonnet-5", "native", null],
  ["openai:gpt-6.1-sol", "native", "text"],
  ["google:gemini-4-argon", "native", "responseJsonSchema"],
  ["google:gemini-2.5-flash", "native", null],
  ["openai-compatible:gpt-4.1", "native", null],
  ["openai-compatible:gpt-4.1", "text", null],
] as const;
const ENV = (url: string) => ({ ...simulatorEnv(url), CAIRN_MODEL_CONTEXT_TOKENS: "200000" });

function nested(levels: number): unknown {
  let inner: unknown = {};
  for (let level = 0; level < levels; level++) inner = { a: inner };
  return inner;
}

async function completion(bench: TurnBench) {
  const block = (await bench.blocks()).findLast(({ type }) => type === "assistant.completion");
  return block ?? expect.unreachable("There is no answer.");
}

describe.each(WIRES)("structured output over %s, %s calls", (name, protocol, format) => {
  let bench: TurnBench;
  beforeAll(async () => {
    bench = await TurnBench.open({ model: (url) => resolveModel(name, ENV(url)), agent: { protocol } });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("comes from the provider itself if the first request allows it, is repaired, and is on the timeline", async () => {
    bench.simulator.script([
      { reply: { text: '{"score": "three"}' } },
      { reply: { calls: [give({ score: 3 })] } },
      { reply: { text: `\`\`\`json\n${JSON.stringify(value)}\n\`\`\`` } },
    ]);
    const outcome = await bench.turn("Grade it", GRADE);
    expect(outcome).toMatchObject({ status: "ended", end: { exit: "complete", output: value } });
    const block = await completion(bench);
    expect(structuredOutput(block)).toEqual(value);
    expect(block).toMatchObject({ mime: "application/json", text: JSON.stringify(value), meta: { output: true } });
    const [first] = bench.simulator.requests;
    expect(first?.bytes.includes(`"${format ?? "response_format"}"`)).toBe(format !== null);
    const problems = (await bench.blocks()).filter(({ text }) => text?.includes("protocol_violation.bad_output"));
    expect(problems.map(({ text }) => text)).toEqual([
      expect.stringContaining("- score: "),
      expect.stringContaining("- why: "),
    ]);
  });

  it("of a later message with another schema is given by the tool, and does not change the prefix", async () => {
    bench.simulator.script([
      { reply: { text: "Fine." } },
      { reply: { calls: [give({ ok: true })], text: "Here it is." } },
      { reply: { text: '{"ok":false}' } },
    ]);
    await bench.turn("And you?");
    const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
    expect(await bench.turn("Is it ok?", schema)).toMatchObject({ end: { exit: "complete", output: { ok: true } } });
    expect(await bench.turn("Still?", schema)).toMatchObject({ end: { exit: "complete", output: { ok: false } } });
    expect((await bench.blocks()).map(({ text }) => text)).toContain("Here it is.");
    const told = await toldRequests(bench.store, bench.key, bench.simulator.requests);
    expect(told).toHaveLength(6);
    for (const request of told) {
      expect(request).toMatchObject({ isRebuilt: true, isSpelled: true, miss: null });
      if (request.predictedRead !== null) expect(request.billedRead).toBe(request.predictedRead);
    }
    // The prefix changed only where the provider's own schema field was replaced by a tool.
    const changes = told.map(({ resets }) => resets);
    expect(changes).toEqual([[], [], [], format === null ? [] : ["output_changed"], [], []]);
  });
});

describe("structured output", () => {
  it("is given by the tool if the provider rejects its schema", async () => {
    await using bench = await TurnBench.open({ model: (url) => resolveModel("anthropic:claude-sonnet-5", ENV(url)) });
    bench.simulator.script([
      {
        when: ({ body }) => body.output_config !== undefined,
        reply: { fault: "status", status: 400, message: "Schema is too complex." },
      },
      { when: ({ body }) => body.output_config === undefined, reply: { calls: [give(value)] } },
    ]);
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({ end: { exit: "complete", output: value } });
    expect(bench.simulator.requests).toHaveLength(2);
  });

  it("comes after calls of tools, and its texts may cite sources", async () => {
    await using bench = await TurnBench.open();
    await bench.attach("notes.txt", "text/plain", "Lisbon is warm.");
    bench.simulator.script([
      { reply: { calls: [{ name: "react__read", input: { paths: ["fi:turn_1.user.attachments/notes.txt"] } }] } },
      { reply: { calls: [give({ score: 1, why: 'Warm [[S:1]], "so" they say [[S:9]].' })] } },
    ]);
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({ end: { exit: "complete", output: { score: 1 } } });
    expect(await completion(bench)).toMatchObject({ meta: { sources_used: [1], sources_unknown: [9] } });
  });

  it("structured output that never matches ends the turn with an error, and every attempt is kept", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([{ reply: { text: "No JSON at all." }, times: 4 }]);
    const outcome = await bench.turn("Grade it", GRADE);
    expect(outcome).toMatchObject({ end: { exit: "error", error: { code: "bad_output" } } });
    expect(outcome).not.toHaveProperty("end.output");
    expect((await bench.types()).filter((type) => type === "react.decision.raw")).toHaveLength(4);
    expect(structuredOutput(await completion(bench))).toBeUndefined();
    bench.simulator.script([{ reply: { text: "Hello." } }]);
    expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "complete", text: "Hello." } });
  });

  it("may be a question to the user, and a refusal is an error", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [{ name: "ask_user", input: { question: "Which one?" } }] } },
      { reply: { refusal: "I will not." } },
    ]);
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({ end: { exit: "clarify", text: "Which one?" } });
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({
      end: { exit: "error", error: { code: "output_declined" } },
    });
  });

  it("structured output that nobody asked for is not taken, and neither is output beside other calls", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([
      { reply: { calls: [give(value), { name: "react__read", input: { paths: ["x"] } }] } },
      { reply: { calls: [give(value)] } },
      { reply: { calls: [give(value)] } },
      { reply: { text: "In words." } },
    ]);
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({ end: { exit: "complete", output: value } });
    expect(await bench.turn("Now talk")).toMatchObject({ end: { exit: "complete", text: "In words." } });
  });

  it("is asked for in the last request of a budget as well", async () => {
    await using bench = await TurnBench.open({ agent: { budgets: { iterations: 1 } } });
    bench.simulator.script([
      { reply: { calls: [{ name: "react__read", input: { paths: ["fi:turn_1.none.txt"] } }] } },
      { reply: { text: JSON.stringify(value) } },
    ]);
    expect(await bench.turn("Grade it", GRADE)).toMatchObject({ end: { exit: "max_iterations", output: value } });
  });

  it.each<[string, unknown, RegExp]>([
    ["that is not an object", { type: "array" }, /"type": "object"/],
    ["that is no schema", "score", /"type": "object"/],
    ["that is too large", { type: "object", description: "a".repeat(30_000) }, /characters/],
    ["with a pattern that backtracks", { type: "object", properties: { a: { pattern: "(?=a)b" } } }, /linear time/],
    ["that is nested too deeply", { type: "object", properties: nested(60_000) }, /levels deep/],
    ["that refers to itself without end", { type: "object", allOf: [{ $ref: "#" }] }, /refers to itself/],
  ])("is refused for a schema %s", (_, schema, reason) => {
    expect(() => readOutputSchema(schema)).toThrow(reason);
  });

  it("with too many items to be checked against its schema is refused, and the model is told why", () => {
    const anyOf = Array.from({ length: 1_000 }, () => ({ type: "null" }));
    const schema = readOutputSchema({ type: "object", properties: { a: { type: "array", items: { anyOf } } } });
    expect(readOutput(JSON.stringify({ a: Array(90).fill(null) }), schema)).toHaveProperty("value");
    expect(readOutput(JSON.stringify({ a: Array(30_000).fill(null) }), schema)).toEqual({
      problem: "- (the whole value): It has too many items to be checked against its schema. Use fewer items.",
    });
  });

  it("of ten thousand objects with ten nullable fields is checked", () => {
    const names = Array.from({ length: 10 }, (_, nth) => `f${nth}`);
    const field = { anyOf: [{ type: "string" }, { type: "null" }] };
    const properties = Object.fromEntries(names.map((name) => [name, field]));
    const rows = { type: "array", items: { type: "object", properties, required: names } };
    const schema = readOutputSchema({ type: "object", properties: { rows } });
    const row = Object.fromEntries(names.map((name) => [name, "x"]));
    expect(readOutput(JSON.stringify({ rows: Array(10_000).fill(row) }), schema)).toHaveProperty("value");
    expect(readOutput(JSON.stringify({ rows: [...Array(9_999).fill(row), { ...row, f3: 5 }] }), schema)).toHaveProperty(
      "problem",
    );
  });

  it("with a schema that cannot be used ends its turn with an error at once", async () => {
    await using bench = await TurnBench.open();
    expect(await bench.turn("Grade it", { type: "array" })).toMatchObject({
      end: { exit: "error", error: { code: "bad_output_schema" } },
    });
    expect(bench.simulator.requests).toEqual([]);
  });
});
