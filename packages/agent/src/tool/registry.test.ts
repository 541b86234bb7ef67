import { CairnError } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { reactTools } from "../react/react-tools.ts";
import { createRegistry } from "./registry.ts";
import { defineTool, type Tool, type ToolContext } from "./tool.ts";

const toolOf = <P>(id: string, params: z.ZodType<P>, more: Partial<Tool<P>> = {}) =>
  defineTool({ id, description: "Does it.", params, run: async () => ({ ok: true }), ...more });
const find = toolOf(
  "shop.find",
  z.object({ name: z.string().describe("What."), n: z.number().int().max(9).default(3), by: z.enum(["price", "age"]) }),
);

const codeOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return CairnError.is(error) ? error.code : error;
  }
  return null;
};

describe("createRegistry", () => {
  it("lists tools sorted by id, for any order of registration", () => {
    const other = toolOf("a.b", z.object({}));
    for (const tools of [
      [find, other],
      [other, find],
    ])
      expect(
        createRegistry(tools)
          .specs()
          .map(({ name }) => name),
      ).toEqual(["a.b", "shop.find"]);
  });

  it("describes parameters as JSON Schema, in the order they were defined and the same every time", () => {
    const [spec] = createRegistry([find]).specs();
    expect(JSON.stringify(spec?.schema)).toBe(
      '{"type":"object","properties":{"name":{"type":"string","description":"What."},"n":{"default":3,"type":"integer","minimum":-9007199254740991,"maximum":9},"by":{"type":"string","enum":["price","age"]}},"required":["name","by"]}',
    );
    expect(JSON.stringify(createRegistry(reactTools()).specs())).toBe(
      JSON.stringify(createRegistry(reactTools().toReversed()).specs()),
    );
  });

  it("refuses duplicate or malformed ids, empty descriptions and parameters without a schema", () => {
    const bad = [
      [find, find],
      [toolOf("a..b", z.object({}))],
      [toolOf("", z.object({}))],
      [toolOf("a b", z.object({}))],
      [toolOf("a", z.object({}), { description: " " })],
      [toolOf("a", z.object({ at: z.date() }))],
      [toolOf("a", z.string())],
      [toolOf("a", z.object({}), { timeout: Number.NaN })],
    ];
    for (const tools of bad) expect(codeOf(() => createRegistry(tools))).toBe("bad_tool");
  });

  it("passes an external schema on unchanged", () => {
    const schema = { type: "object", properties: { z: { type: "string", format: "x" }, a: { $ref: "#/$defs/a" } } };
    const tool = toolOf("a", z.record(z.string(), z.unknown()), { schema: { $schema: "draft-07", ...schema } });
    expect(JSON.stringify(createRegistry([tool]).specs()[0]?.schema)).toBe(JSON.stringify(schema));
    expect(() => createRegistry([{ ...tool, schema: { type: "array" } }])).toThrow(/must be an object/);
  });

  it("finds a tool by an older name", () => {
    const registry = createRegistry(reactTools());
    expect(registry.find("react.memory_hide")?.id).toBe("react.hide");
    expect(registry.find("constructor")).toBeUndefined();
    expect(createRegistry([]).find("react.memory_hide")).toBeUndefined();
  });
});

describe("a call's check", () => {
  const registry = createRegistry([find]);

  it("returns the parameters unchanged", () => {
    expect(registry.check("shop.find", { name: "x", by: "age" })).toEqual({
      toolId: "shop.find",
      params: { name: "x", by: "age" },
    });
  });

  it("lists every issue with its place and the expected value", () => {
    const checked = registry.check("shop.find", { name: 3, n: "x", by: "size" });
    expect(checked).toEqual({
      code: "bad_params",
      message: [
        "The parameters of shop.find do not match its schema:",
        "- name: Invalid input: expected string, received number",
        "- n: Invalid input: expected number, received string",
        '- by: Invalid option: expected one of "price"|"age"',
      ].join("\n"),
    });
  });

  it("names the existing tools when the tool does not exist", () => {
    expect(registry.check("x".repeat(1_000_000), {})).toMatchObject({
      code: "unknown_tool",
      message: expect.stringMatching(/The tools are: shop\.find\.$/),
    });
  });

  it("reports parameters that are not an object, or hostile, as bad_params", () => {
    let deep: unknown = {};
    for (let at = 0; at < 100_000; at++) deep = { deep };
    for (const params of [null, [], "x", 3, undefined, JSON.parse('{"__proto__":{"name":"x"}}'), deep])
      expect(registry.check("shop.find", params)).toMatchObject({ code: "bad_params" });
  });

  it("does not check a reference against the schema of the content it refers to", () => {
    const short = createRegistry([toolOf("a", z.object({ url: z.url().max(9), other: z.string().max(2) }))]);
    expect(short.check("a", { url: "ref:fi:turn_1.files/a.md", other: "x" })).toMatchObject({ toolId: "a" });
    expect(short.check("a", { url: "ref:fi:turn_1.files/a.md", other: "xxx" })).toMatchObject({ code: "bad_params" });
  });
});

describe("consent", () => {
  const context = { conversation: "c1" } as ToolContext;

  it("is required if the tool's rule says so for the parameters with their defaults, and whenever the rule throws", () => {
    const registry = createRegistry([]);
    const schema = z.object({ n: z.number().default(5) });
    expect(registry.asks(toolOf("a", schema) as Tool, {}, context)).toBe(false);
    expect(registry.asks(toolOf("a", schema, { approval: "always" }) as Tool, {}, context)).toBe(true);
    expect(registry.asks(toolOf("a", schema, { approval: ({ n }) => n > 4 }) as Tool, {}, context)).toBe(true);
    const inPlace = toolOf("a", schema, { approval: (_, { conversation }) => conversation === "c1" }) as Tool;
    expect([
      registry.asks(inPlace, {}, context),
      registry.asks(inPlace, {}, { ...context, conversation: "c2" }),
    ]).toEqual([true, false]);
    const breaks = () => {
      throw new Error("x");
    };
    expect(registry.asks(toolOf("a", schema, { approval: breaks }) as Tool, {}, context)).toBe(true);
  });

  it("follows the policy with the longest matching name, which overrides the tool's own rule", () => {
    const tools = ["mcp.shop.order", "mcp.shop.list", "mcp.files.read", "own.tool"].map((id) =>
      toolOf(id, z.object({}), { approval: "always" }),
    );
    const registry = createRegistry(tools, { "mcp.*": "ask", "mcp.shop.order": "refuse", "mcp.shop.*": "allow" });
    expect(registry.tools.map((tool) => registry.asks(tool, {}, context))).toEqual([true, false, true]);
    expect(registry.tools.map(({ id }) => id)).toEqual(["mcp.files.read", "mcp.shop.list", "own.tool"]);
    expect(createRegistry(tools, { "own.tool": "allow" }).asks(tools[3] as Tool, {}, context)).toBe(false);
  });
});
