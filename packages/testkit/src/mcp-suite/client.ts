/**
 * The client under test. The conformance suite starts this program with the URL of its server. The program connects
 * the product's MCP client to it and calls the server's tools in turns of an agent.
 *
 * A scenario that needs certain calls names them in `MCP_CONFORMANCE_CONTEXT`. In all others, every tool is called
 * once with the smallest parameters that its schema allows.
 */
import { type AnyTool, reactTools, resolveModel } from "@cairn/agent";
import type { JsonObject } from "@cairn/timeline";
import { connectMcp } from "@cairn/tools/mcp";
import { z } from "zod";
import { callOf, playTurn, TurnBench } from "../turns/index.ts";

const SERVER = "suite";

const contextSchema = z.looseObject({
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).optional(),
});

interface Call {
  readonly id: string;
  readonly params: JsonObject;
}

const url = process.argv[2];
if (url === undefined) throw new Error("The first argument must be the URL of the server.");
const { toolCalls } = contextSchema.parse(JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"));

const mcp = await connectMcp({ [SERVER]: { url, allow: "all", approval: "never" } });
try {
  if (mcp.problems.length > 0) throw new Error(mcp.problems.join("\n"));
  const bench = await TurnBench.open({
    agent: { tools: [...reactTools(), ...mcp.tools] },
    // As an application gets it: names and schemas of the tools are fitted to what the provider takes.
    model: (baseUrl) =>
      resolveModel("anthropic:claude-sonnet-5", { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: baseUrl }),
  });
  try {
    const calls = toolCalls?.map(({ name, arguments: params }) => ({ id: idOf(name), params })) ?? everyTool(mcp.tools);
    for (const { id, params } of calls) {
      const { shown } = await playTurn(bench, [callOf(id, params)]);
      console.log(shown.slice(shown.lastIndexOf("[TOOL CALL")));
    }
  } finally {
    await bench[Symbol.asyncDispose]();
  }
} finally {
  await mcp.close();
}

function idOf(name: string): string {
  return `mcp.${SERVER}.${name}`;
}

function everyTool(tools: readonly AnyTool[]): readonly Call[] {
  return tools.map(({ id, schema }) => ({ id, params: smallest(schema ?? {}, tools) }));
}

/** A parameter named `schema` asks for the schema of another tool, as the client received it. */
function smallest(schema: JsonObject, tools: readonly AnyTool[]): JsonObject {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonObject>>;
  const required = (schema.required ?? []) as readonly string[];
  const received = tools.find((tool) => tool.schema !== schema)?.schema ?? {};
  return Object.fromEntries(
    required.map((name) => [name, name === "schema" ? received : sampleOf(properties[name] ?? {})]),
  );
}

function sampleOf({ type, enum: choices }: JsonObject): JsonObject[string] {
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  switch (type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "text";
  }
}
