import type { Json } from "@cairn/timeline";
import { expect, it } from "vitest";
import { checkStrictSchema, checkToolSchema } from "./tool-schema.ts";

const object = (properties: Json): Json => ({ type: "object", properties });

it.each<[string, Json]>([
  ["an object without properties", { type: "object" }],
  [
    "nested lists and choices",
    object({ a: { type: ["array", "null"], items: { anyOf: [{ type: "string" }, { enum: [1] }] } } }),
  ],
  ["names of prototypes", object(JSON.parse('{"__proto__": {"type": "string"}, "constructor": true}') as Json)],
  ["definitions", { type: "object", $defs: { b: { type: "integer" } }, properties: { a: { $ref: "#/$defs/b" } } }],
])("%s is a valid tool schema", (_, schema) => {
  expect(checkToolSchema(schema)).toBeNull();
});

it.each<[string, Json, string]>([
  ["a list", [], ""],
  ["a list's schema", { type: "array" }, "type"],
  ["a schema without a type", {}, "type"],
  ["an unknown type", object({ a: { type: "text" } }), "properties.a.type"],
  ["properties that are a list", object([]), "properties"],
  ["a property that is a text", object({ a: "string" }), "properties.a"],
  ["required that is no list", { type: "object", required: "a" }, "required"],
  ["an empty enum", object({ a: { enum: [] } }), "properties.a.enum"],
  ["a wrong choice", object({ a: { anyOf: [{ type: "string" }, { type: 5 }] } }), "properties.a.anyOf.1.type"],
])("%s is not a valid tool schema", (_, schema, path) => {
  expect(checkToolSchema(schema)?.path.join(".")).toBe(path);
});

it("strict schemas close every object and require every property", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(checkStrictSchema(closed)).toBeNull();
  expect(checkStrictSchema({ ...closed, required: [] })?.message).toContain("'required'");
  expect(checkStrictSchema({ ...closed, properties: { a: { type: "object" } } })?.path).toEqual(["properties", "a"]);
});
