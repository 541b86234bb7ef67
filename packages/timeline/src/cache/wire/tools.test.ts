import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../base/json.ts";
import { orderTools } from "./tools.ts";

const tool = (name: string, schema: JsonObject = {}) => ({ name, description: name, schema });

it("tools are sent by name, whatever the order they were registered in", () => {
  const names = orderTools([tool("b"), tool("a_2"), tool("B"), tool("a")]).map(({ name }) => name);
  expect(names).toEqual(["B", "a", "a_2", "b"]);
});

it("a schema has the same bytes however its keys were spelled", () => {
  const one = tool("a", { type: "object", properties: { x: { type: "string", title: "X" }, b: [{ z: 1, a: 2 }] } });
  const other = tool("a", { properties: { b: [{ a: 2, z: 1 }], x: { title: "X", type: "string" } }, type: "object" });
  expect(JSON.stringify(orderTools([one]))).toBe(JSON.stringify(orderTools([other])));
});

it("lists keep their order and keys of any name are kept", () => {
  const schema = JSON.parse('{"required": ["b", "a"], "__proto__": {"x": 1}, "constructor": null}') as JsonObject;
  expect(JSON.stringify(orderTools([tool("a", schema)])[0]?.schema)).toBe(
    '{"__proto__":{"x":1},"constructor":null,"required":["b","a"]}',
  );
});

it("two tools of one name are refused", () => {
  expect(() => orderTools([tool("a"), tool("b"), tool("a")])).toThrow(
    expect.objectContaining({ code: "duplicate_tool" }),
  );
});

it("a schema with endless nesting is refused without a crash", () => {
  let schema: Json = {};
  for (let depth = 0; depth < 100_000; depth++) schema = { items: schema };
  expect(() => orderTools([tool("a", schema as JsonObject)])).toThrow(expect.objectContaining({ code: "bad_tool" }));
});
