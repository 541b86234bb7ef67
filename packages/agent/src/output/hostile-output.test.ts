/** Schemas and answers that were made to harm: each schema is refused, or checks answers in linear time. */
import { growthOnDoubling } from "@cairn/testkit/growth";
import { describe, expect, it } from "vitest";
import { readOutputSchema } from "./output-schema.ts";
import { readOutput } from "./read-output.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const repeated = (levels: number, unit: string, end: string) => `${unit.repeat(levels)}1${end.repeat(levels)}`;

describe("a schema of a caller", () => {
  it.each<[string, unknown]>([
    ["20,001 characters", object({}, { description: "a".repeat(20_001) })],
    ["51 levels", JSON.parse(repeated(51, '{"type":"object","not":', "}"))],
    ["100,000 levels of lists", object({}, { enum: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) })],
    ["a reference to itself", object({ a: { $ref: "#/properties/a" } })],
    ["a reference to another address", object({ a: { $ref: "http://127.0.0.1/schema.json" } })],
    ["a back reference", object({ a: { type: "string", pattern: "(a)\\1" } })],
    ["a lookbehind", object({ a: { type: "string", pattern: "(?<=a)b" } })],
    ["a pattern that is not one", object({ a: { type: "string", pattern: "(" } })],
    ["a pattern of names with a lookahead", object({}, { patternProperties: { "(?=a)b": {} } })],
    ["a pattern that counts to a million", object({ a: { type: "string", pattern: "((a{1000}){1000}){1000}" } })],
    ["a type of a prototype", object({ a: { type: "__proto__" } })],
  ])("with %s is refused", (_, schema) => {
    expect(() => readOutputSchema(schema)).toThrow("cannot be used");
  });

  it.each(["^(a+)+$", "^(a|a)*$", "^(\\w+\\s?)*$", "(x+x+)+y"])(
    "with the pattern %s is matched in linear time",
    (pattern) => {
      const schema = readOutputSchema(object({ a: { type: "string", pattern } }));
      const answer = (length: number) => JSON.stringify({ a: `${"a".repeat(length)}!` });
      expect(growthOnDoubling(answer, (text) => readOutput(text, schema), 20_000)).toBeLessThan(4);
    },
  );

  it("with references that double is not tried in a million million ways", () => {
    const schema = readOutputSchema(object({ a: { $ref: "#/$defs/d0" } }, { $defs: doubled(40) }));
    expect(readOutput('{"a":1}', schema)).toHaveProperty("problem");
  });

  it("with names of prototypes checks these names, and changes no object", () => {
    const properties = JSON.parse('{"__proto__":{"type":"number"},"constructor":{"type":"string"}}');
    const schema = readOutputSchema(object(properties, { required: ["__proto__"], additionalProperties: false }));
    expect(readOutput('{"__proto__":1,"constructor":"a"}', schema)).toHaveProperty("value");
    for (const wrong of ["{}", '{"__proto__":"a"}', '{"__proto__":1,"constructor":2}', '{"__proto__":1,"toString":2}'])
      expect(readOutput(wrong, schema)).toHaveProperty("problem");
  });
});

/** Definitions that refer twice to the next definition, so that resolving them takes exponential time. */
function doubled(count: number): object {
  const twice = (nth: number) => ({ anyOf: [{ $ref: `#/$defs/d${nth + 1}` }, { $ref: `#/$defs/d${nth + 1}` }] });
  return Object.fromEntries([
    ...Array.from({ length: count }, (_, nth) => [`d${nth}`, twice(nth)]),
    [`d${count}`, { type: "string" }],
  ]);
}

describe("an answer of a model", () => {
  const schema = readOutputSchema(object({ a: {} }, { additionalProperties: false }));

  it.each<[string, string]>([
    ["101 levels", `{"a":${repeated(100, "[", "]")}}`],
    ["a million levels", `{"a":${"[".repeat(1_000_000)}`],
    ["a field of a prototype", '{"__proto__":{"a":1}}'],
    ["a field of every object", '{"constructor":1}'],
    ["a second value behind the first", '{"a":1}{"a":2}'],
    ["two fences", '```json\n{"a":1}\n```\n```json\n{"a":2}\n```'],
    ["a comment", '{"a":1}//'],
    ["a number that JSON lacks", '{"a":NaN}'],
  ])("with %s is refused", (_, text) => {
    expect(readOutput(text, schema)).toHaveProperty("problem");
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it("of five million characters is read or refused in linear time, and the problem is short", () => {
    const wide = (count: number) => `{${Array.from({ length: count }, (_, nth) => `"f${nth}":1`).join(",")}}`;
    expect(growthOnDoubling(wide, (text) => readOutput(text, schema), 20_000)).toBeLessThan(4);
    const told = readOutput(wide(50_000), schema);
    expect("problem" in told ? told.problem.length : 0).toBeLessThan(5_000);
    expect(readOutput(`{"a":"${"x".repeat(5_000_000)}"}`, schema)).toHaveProperty("value");
  });
});
