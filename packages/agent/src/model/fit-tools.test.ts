import { costlyRuns } from "@cairn/testkit/runs";
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitKeywords } from "./fit-keywords.ts";
import { describeFitting, fitTool } from "./fit-tools.ts";
import { anthropic } from "./providers/anthropic.ts";
import { google } from "./providers/google.ts";
import { openai } from "./providers/openai.ts";
import { openaiCompatible } from "./providers/openai-compatible.ts";

const GEMINI = google.schemas?.("gemini-4-argon") ?? {};
const GATEWAY = openaiCompatible.schemas?.("google/gemini-3.8-flash") ?? {};
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("keywords that a provider does not support", () => {
  it("are moved to the description of their property, and other keywords stay", () => {
    const schema = object({ name: { type: "string", description: "A name.", pattern: "^a", minLength: 2 } });
    expect(fitKeywords(schema, GEMINI)).toEqual({
      schema: object({
        name: { type: "string", description: 'A name. (JSON Schema: {"pattern":"^a","minLength":2})' },
      }),
      moved: new Set(["pattern", "minLength"]),
    });
  });

  it("are replaced by equivalents where they exist: constants, references and lists of types", () => {
    const schema = object(
      {
        a: { const: "x" },
        b: { $ref: "#/$defs/B" },
        c: { type: ["string", "null"] },
        d: { type: ["string", "array"] },
      },
      { $schema: "https://json-schema.org/draft/2020-12/schema", $defs: { B: { oneOf: [{ type: "integer" }] } } },
    );
    expect(fitKeywords(schema, GATEWAY)).toEqual({
      schema: object({
        a: { enum: ["x"] },
        b: { anyOf: [{ type: "integer" }] },
        c: { type: "string", nullable: true },
        d: { anyOf: [{ type: "string" }, { type: "array", items: {} }] },
      }),
      moved: new Set(),
    });
  });

  it("a circular reference is described in words", () => {
    const schema = object(
      { tree: { $ref: "#/$defs/Tree" } },
      { $defs: { Tree: object({ left: { $ref: "#/$defs/Tree" } }) } },
    );
    expect(fitKeywords(schema, GEMINI).schema).toEqual(
      object({ tree: object({ left: { description: '(JSON Schema: {"$ref":"#/$defs/Tree"})' } }) }),
    );
  });

  it("a reference with a percent sign that encodes nothing is followed literally", () => {
    const schema = object({ share: { $ref: "#/$defs/100%" } }, { $defs: { "100%": { type: "number" } } });
    expect(fitKeywords(schema, GEMINI).schema).toEqual(object({ share: { type: "number" } }));
  });

  it("a list without `items` gets `items` at OpenAI", () => {
    expect(fitKeywords(object({ tags: { type: "array" } }), openai.schemas?.("gpt-6.1-sol") ?? {}).schema).toEqual(
      object({ tags: { type: "array", items: {} } }),
    );
  });
});

function schemas(depth: number): fc.Arbitrary<JsonObject> {
  const inner = depth === 0 ? fc.constant<JsonObject>({ $ref: "#" }) : schemas(depth - 1);
  const several = fc.array(inner, { minLength: 1, maxLength: 2 });
  return fc.record<Record<string, Json>>(
    {
      type: fc.constantFrom<Json[]>("string", "array", "object", ["string", "null"], ["array", "object"]),
      description: fc.string(),
      pattern: fc.string(),
      const: fc.oneof(fc.string(), fc.boolean()),
      exclusiveMinimum: fc.integer(),
      $ref: fc.constantFrom("#", "#/$defs/A", "#/nowhere", "https://example.com/a"),
      properties: fc.dictionary(fc.string(), inner, { maxKeys: 2 }) as fc.Arbitrary<JsonObject>,
      items: inner,
      anyOf: several,
      allOf: several,
      additionalProperties: fc.oneof(fc.boolean(), inner),
    },
    { requiredKeys: [] },
  );
}

it("any fitted schema has no keyword that the provider does not support, and fitting it again changes nothing", () => {
  const allowed = (schema: Json, keywords: ReadonlySet<string>): boolean => {
    if (!isJsonObject(schema)) return true;
    const { properties = {}, items, anyOf = [], additionalProperties } = schema;
    const inner = [
      items,
      additionalProperties,
      ...(Array.isArray(anyOf) ? anyOf : []),
      ...Object.values(properties as JsonObject),
    ];
    return (
      Object.keys(schema).every((key) => keywords.has(key)) &&
      inner.every((each) => each === undefined || allowed(each, keywords))
    );
  };
  fc.assert(
    fc.property(schemas(2), schemas(1), fc.constantFrom(GEMINI, GATEWAY), (schema, definition, rule) => {
      const { schema: fitted } = fitKeywords({ ...schema, $defs: { A: definition } }, rule);
      expect(allowed(fitted, rule.keywords ?? new Set())).toBe(true);
      expect(fitKeywords(fitted, rule)).toEqual({ schema: fitted, moved: new Set() });
    }),
    { numRuns: costlyRuns },
  );
});

it("references that multiply are followed only up to a limit", () => {
  const twice = (name: string) => object({ a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } });
  const names = Array.from({ length: 40 }, (_, nth) => `D${nth}`);
  const $defs = Object.fromEntries(names.map((name, nth) => [name, twice(names[nth + 1] ?? "D0")]));
  const { schema, moved } = fitKeywords(object({ a: { $ref: "#/$defs/D0" } }, { $defs }), GEMINI);
  expect(JSON.stringify(schema).length).toBeLessThan(1_000_000);
  expect(moved).toEqual(new Set(["$ref"]));
});

describe("names of parameters", () => {
  const rules = { schemas: anthropic.schemas?.("claude-sonnet-5") };
  const schema = object({ "filter[id]": { type: "string" }, limit: { type: "integer" } }, { required: ["filter[id]"] });
  const tool = { name: "mcp.shop.list", description: "Lists.", schema };

  it("names of parameters that a provider rejects are changed, and are changed back in calls", () => {
    const { schema: fitted, restore } = fitTool(tool, rules);
    expect(Object.keys(fitted.properties as JsonObject)).toEqual(["filter_id_", "limit"]);
    expect(fitted.required).toEqual(["filter_id_"]);
    expect(restore?.('{"filter_id_":"7","limit":2}')).toBe('{"filter[id]":"7","limit":2}');
    expect(restore?.('{"filter_id_":')).toBe('{"filter_id_":');
  });

  it("names of parameters that a provider accepts stay unchanged, and no change is reported", () => {
    const plain = { ...tool, schema: object({ "a.b-c": { type: "string" } }) };
    expect(fitTool(plain, rules)).toMatchObject({ schema: plain.schema, restore: null });
    expect(describeFitting("anthropic:claude-sonnet-5", [plain], rules)).toEqual([]);
  });
});

it("every kind of change is described in one sentence", () => {
  const tools = ["a", "b", "c", "d", "e", "f"].map((name) => ({
    name,
    description: "",
    schema: object({ x: { type: "string", pattern: "^a" } }),
  }));
  expect(describeFitting("google:gemini-4-argon", tools, { schemas: GEMINI })).toEqual([
    "google:gemini-4-argon does not take the schema keywords pattern. Their meaning is written into the descriptions of a, b, c, d, e and 1 other tools.",
  ]);
  const union = { name: "find", description: "", schema: object({}, { anyOf: [{ required: ["a"] }] }) };
  expect(describeFitting("openai:gpt", [union], { refusedAtRoot: openai.refusedAtRoot })).toEqual([
    "openai:gpt does not take the parameters of find as they are. They are sent in another form.",
  ]);
});
