/** Rules of both OpenAI APIs for functions, which the two APIs write in different forms. */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import { checkStrictSchema, checkToolSchema, hasAtRoot, type SchemaProblem, schemasIn } from "../body/tool-schema.ts";
import { type Fault, firstOf, type Rule } from "./rule.ts";

const NAME = /^[a-zA-Z0-9_-]+$/;
const MAX_NAME = 64;
const MAX_TOOLS = 128;

interface FunctionTool {
  readonly name: string;
  readonly parameters?: Json | undefined;
  readonly strict?: boolean | null | undefined;
}

/** How an API writes functions. */
export interface FunctionSpelling<Body> {
  readonly toolsOf: (body: Body) => readonly FunctionTool[];
  /** Name of the tool that must be called. */
  readonly chosenOf: (body: Body) => string | undefined;
  readonly isChoiceGiven: (body: Body) => boolean;
  /** The path of the tool at an index. */
  readonly placeAt: (at: number) => string;
  /** Makes a body with these tools, for the rules' examples. */
  readonly bodyWith: (tools: readonly FunctionTool[], fields?: JsonObject) => JsonObject;
  readonly chooses: (name: string) => Json;
}

export function functionRules<Body>(spelling: FunctionSpelling<Body>): readonly Rule<Body>[] {
  const { toolsOf, chosenOf, isChoiceGiven, placeAt, bodyWith, chooses } = spelling;
  const eachTool = (look: (tool: FunctionTool, at: number) => Fault | null) => (body: Body) =>
    firstOf(toolsOf(body).entries(), ([at, tool]) => look(tool, at));
  const badSchema = (message: string, { name }: FunctionTool, at: number): Fault => ({
    message: `Invalid schema for function '${name}': ${message}`,
    code: "invalid_function_parameters",
    param: `${placeAt(at)}.parameters`,
  });
  const inContext = ({ path, message }: SchemaProblem) =>
    `In context=(${path.map((key) => `'${key}'`).join(", ")}), ${message}`;
  const look = (parameters: JsonObject, more: object = {}) => bodyWith([{ name: "look", parameters, ...more }]);
  return [
    {
      rule: "A request has at most 128 tools.",
      about: "counts",
      source: "https://github.com/zed-industries/zed/issues/42393",
      date: "2025-11-10",
      refuses: (body) => {
        const { length } = toolsOf(body);
        return length > MAX_TOOLS
          ? {
              message: `Invalid 'tools': array too long. Expected an array with maximum length ${MAX_TOOLS}, but got an array with length ${length} instead.`,
              code: "array_above_max_length",
              param: "tools",
            }
          : null;
      },
      example: bodyWith(Array.from({ length: MAX_TOOLS + 1 }, (_, at) => ({ name: `look_${at}` }))),
    },
    {
      rule: "The name of a tool has at most 64 characters.",
      about: "names",
      source: "https://github.com/mrexodia/ida-pro-mcp/issues/129",
      date: "2025-09-06",
      refuses: eachTool(({ name }, at) =>
        name.length > MAX_NAME
          ? {
              message: `Invalid '${placeAt(at)}.name': string too long. Expected a string with maximum length ${MAX_NAME}, but got a string with length ${name.length} instead.`,
              code: "string_above_max_length",
              param: `${placeAt(at)}.name`,
            }
          : null,
      ),
      example: bodyWith([{ name: "x".repeat(MAX_NAME + 1) }]),
    },
    {
      rule: "The name of a tool has letters, digits, underscores and hyphens.",
      about: "names",
      source: "https://platform.openai.com/docs/api-reference/responses/create",
      date: "2026-11-15",
      refuses: eachTool(({ name }, at) =>
        NAME.test(name)
          ? null
          : {
              message: `Invalid '${placeAt(at)}.name': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`,
              code: "invalid_value",
              param: `${placeAt(at)}.name`,
            },
      ),
      example: bodyWith([{ name: "react.read" }]),
    },
    {
      rule: "Names of tools are unique.",
      about: "names",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
      date: "2026-11-15",
      refuses: (body) => {
        const seen = new Set<string>();
        return firstOf(toolsOf(body), ({ name }) => {
          if (seen.has(name))
            return { message: `Duplicate function name '${name}' in tools.`, code: "invalid_value", param: "tools" };
          seen.add(name);
          return null;
        });
      },
      example: bodyWith([{ name: "look" }, { name: "look" }]),
    },
    {
      rule: "A tool's schema has no union, enum or negation at its root.",
      about: "schemas",
      source: "https://github.com/langchain-ai/langchainjs/issues/9804",
      date: "2026-01-14",
      refuses: eachTool((tool, at) =>
        hasAtRoot(tool.parameters ?? undefined, ["oneOf", "anyOf", "allOf", "enum", "not"])
          ? badSchema(
              "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
              tool,
              at,
            )
          : null,
      ),
      example: look({ type: "object", anyOf: [{ required: ["a"] }] }),
    },
    {
      rule: "A tool's schema is a JSON schema of an object.",
      about: "schemas",
      source: "https://platform.openai.com/docs/guides/function-calling",
      date: "2026-11-15",
      refuses: eachTool((tool, at) => {
        const problem = tool.parameters == null ? null : checkToolSchema(tool.parameters);
        return problem === null ? null : badSchema(inContext(problem), tool, at);
      }),
      example: look({ type: "array", items: {} }),
    },
    {
      rule: "A list in a tool's schema says what its items are.",
      about: "schemas",
      source: "https://github.com/digitalocean-labs/mcp-digitalocean/issues/265",
      date: "2026-02-14",
      refuses: eachTool((tool, at) => {
        const bare = [...schemasIn(tool.parameters ?? undefined)].find(({ schema }) => lacksItems(schema));
        return bare === undefined
          ? null
          : badSchema(inContext({ path: bare.path, message: "array schema missing items." }), tool, at);
      }),
      example: look({ type: "object", properties: { tags: { type: "array" } } }),
    },
    {
      rule: "A strict schema closes every object and requires every property.",
      about: "schemas",
      source: "https://platform.openai.com/docs/guides/structured-outputs",
      date: "2026-11-15",
      refuses: eachTool((tool, at) => {
        const problem = tool.strict === true ? checkStrictSchema(tool.parameters ?? undefined) : null;
        return problem === null ? null : badSchema(inContext(problem), tool, at);
      }),
      example: look({ type: "object", properties: {} }, { strict: true }),
    },
    {
      rule: "A choice of tools comes with tools.",
      about: "settings",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
      date: "2026-11-15",
      refuses: (body) =>
        isChoiceGiven(body) && toolsOf(body).length === 0
          ? {
              message: "'tool_choice' is only allowed when 'tools' are specified.",
              code: "invalid_value",
              param: "tool_choice",
            }
          : null,
      example: bodyWith([], { tool_choice: "required" }),
    },
    {
      rule: "The tool that is chosen is among the tools.",
      about: "settings",
      source: "https://platform.openai.com/docs/api-reference/chat/create",
      date: "2026-11-15",
      refuses: (body) => {
        const name = chosenOf(body);
        return name === undefined || toolsOf(body).some((tool) => tool.name === name)
          ? null
          : {
              message: `Tool choice 'function' not found in 'tools' parameter: '${name}'.`,
              code: "invalid_value",
              param: "tool_choice",
            };
      },
      example: bodyWith([{ name: "look" }], { tool_choice: chooses("jump") }),
    },
  ];
}

function lacksItems(schema: Json): boolean {
  if (!isJsonObject(schema) || schema.items !== undefined || schema.prefixItems !== undefined) return false;
  return schema.type === "array" || (Array.isArray(schema.type) && schema.type.includes("array"));
}
