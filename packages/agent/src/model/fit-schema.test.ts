import { expect, it } from "vitest";
import { unwrapParams, wrapSchema } from "./fit-schema.ts";

const refused = ["anyOf", "oneOf", "allOf"];

it("a schema without a rejected keyword at its root stays unchanged", () => {
  const schema = { type: "object", properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } };
  expect(wrapSchema(schema, refused)).toBeNull();
});

it("a wrapped schema is not wrapped again", () => {
  const wrapped = wrapSchema({ type: "object", anyOf: [{ required: ["a"] }] }, refused);
  expect(wrapped).not.toBeNull();
  expect(wrapSchema(wrapped ?? {}, refused)).toBeNull();
});

it("definitions stay at the root, and other references point to the new location", () => {
  const schema = {
    type: "object",
    properties: { a: { $ref: "#/$defs/A" }, b: { $ref: "#/properties/a" }, c: { $ref: "#" } },
    oneOf: [{ required: ["a"] }],
    $defs: { A: { type: "array", items: { $ref: "#/$defs/A" } } },
  };
  expect(wrapSchema(schema, refused)).toEqual({
    type: "object",
    properties: {
      input: {
        type: "object",
        properties: {
          a: { $ref: "#/$defs/A" },
          b: { $ref: "#/properties/input/properties/a" },
          c: { $ref: "#/properties/input" },
        },
        oneOf: [{ required: ["a"] }],
      },
    },
    required: ["input"],
    additionalProperties: false,
    $defs: { A: { type: "array", items: { $ref: "#/$defs/A" } } },
  });
});

it("wrapped parameters are unwrapped, and other parameters stay unchanged", () => {
  expect(unwrapParams('{"input":{"a":1}}')).toBe('{"a":1}');
  for (const text of ['{"a":1}', '{"input":"a"}', '{"input":{},"b":1}', '{"input":{', "", "null", "[1]"])
    expect(unwrapParams(text)).toBe(text);
});
