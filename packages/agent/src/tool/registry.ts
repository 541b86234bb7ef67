/**
 * The tools of an agent, in a fixed order: sorted by id, so that every request offers them in the same order.
 *
 * A model receives a tool's parameters as JSON Schema: the schema that the tool declares, or one that is generated from
 * `params`. Properties keep their order, because a model writes them in that order and streaming needs the path before
 * the content.
 */
import { CairnError, type JsonObject } from "@cairn/timeline";
import { z } from "zod";
import type { ToolSpec } from "../model/model.ts";
import { isRef } from "./bind-refs.ts";
import { checkParams } from "./check-params.ts";
import type { AnyTool, Tool, ToolContext } from "./tool.ts";
import { policyOf, type ToolPolicies } from "./tool-policy.ts";

export interface ToolRegistry {
  /** All tools, sorted by id. */
  readonly tools: readonly Tool[];
  specs(): readonly ToolSpec[];
  /** Finds a tool by id or by an older name. */
  find(id: string): Tool | undefined;
  /**
   * Checks a model's call. Returns the tool with the raw parameters, or the reason why the call is invalid. `ref:`
   * values that are not replaced yet are not checked.
   */
  check(
    name: string,
    params: unknown,
  ): { readonly toolId: string; readonly params: JsonObject } | { readonly code: string; readonly message: string };
  /** Whether calls of the tool may need a person's approval, always or depending on their parameters. */
  mayAsk(tool: Tool): boolean;
  /**
   * Whether a call with these parameters, whose references are already replaced, needs approval. If the tool's rule
   * throws, the call needs approval.
   */
  asks(tool: Tool, params: unknown, context: ToolContext): boolean;
}

/** Older names of tools, which calls may use but requests do not offer. */
const ALIASES: ReadonlyMap<string, string> = new Map([["react.memory_hide", "react.hide"]]);

const TOOL_ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const MAX_ID_LENGTH = 128;

/** Leaves out tools that a policy refuses. Throws `bad_tool` for an invalid id or parameters without a schema. */
export function createRegistry(tools: readonly AnyTool[], policies: ToolPolicies = {}): ToolRegistry {
  const byId = new Map<string, Tool>();
  for (const tool of tools) {
    checkTool(tool);
    if (policyOf(policies, tool.id) === "refuse") continue;
    if (byId.has(tool.id)) throw badTool(tool.id, "another tool has the same id. Give each tool its own.");
    byId.set(tool.id, tool as Tool);
  }
  const sorted = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const specs = sorted.map(
    (tool): ToolSpec => ({ name: tool.id, description: tool.description, schema: schemaOf(tool) }),
  );
  const find = (id: string) => byId.get(id) ?? byId.get(ALIASES.get(id) ?? "");
  return {
    tools: sorted,
    specs: () => specs,
    find,
    check: (name, params) => checkCall(sorted, find(name), name, params),
    mayAsk: (tool) => {
      const policy = policyOf(policies, tool.id);
      return policy === null ? tool.approval !== undefined && tool.approval !== "never" : policy === "ask";
    },
    asks: (tool, params, context) => {
      const policy = policyOf(policies, tool.id);
      return policy === null ? asksByItself(tool, params, context) : policy === "ask";
    },
  };
}

function checkTool(tool: AnyTool): void {
  const { id } = tool;
  if (typeof id !== "string" || !TOOL_ID.test(id) || id.length > MAX_ID_LENGTH)
    throw badTool(
      String(id).slice(0, MAX_ID_LENGTH),
      "an id may contain only letters, digits, `_`, `-` and single dots.",
    );
  if (typeof tool.description !== "string" || tool.description.trim() === "")
    throw badTool(id, "it has no description. Say what it does and when to use it.");
  if (typeof tool.run !== "function") throw badTool(id, "`run` is not a function.");
  if (tool.timeout !== undefined && !(tool.timeout > 0))
    throw badTool(id, "`timeout` must be a number of milliseconds above 0.");
}

/** Results are cached, because every turn creates a registry and converting one schema takes almost a millisecond. */
const converted = new WeakMap<Tool["params"], string>();

function schemaOf(tool: Tool): JsonObject {
  let schema: JsonObject;
  if (tool.schema === undefined && !("_zod" in tool.params))
    throw badTool(tool.id, "its parameters must be a schema of zod 4.");
  try {
    const text = tool.schema === undefined ? converted.get(tool.params) : undefined;
    schema = JSON.parse(text ?? convert(tool)) as JsonObject;
  } catch (error) {
    throw badTool(
      tool.id,
      `its parameters cannot be converted to a JSON Schema (${error instanceof Error ? error.message : error}).`,
    );
  }
  if (schema.type !== "object") throw badTool(tool.id, "its parameters must be an object schema.");
  return schema;
}

function convert({ schema, params }: Tool): string {
  const { $schema: _, ...rest } = schema ?? z.toJSONSchema(params, { io: "input" });
  const text = JSON.stringify(rest);
  if (schema === undefined) converted.set(params, text);
  return text;
}

function checkCall(tools: readonly Tool[], tool: Tool | undefined, name: string, params: unknown) {
  if (tool === undefined) {
    const known = tools.map(({ id }) => id).join(", ");
    return {
      code: "unknown_tool",
      message: `There is no tool ${JSON.stringify(name.slice(0, MAX_ID_LENGTH))}. The tools are: ${known}.`,
    };
  }
  if (typeof params !== "object" || params === null || Array.isArray(params))
    return { code: "bad_params", message: `The parameters of ${tool.id} must be an object.` };
  const checked = checkParams(tool, params, (issue) => isRef(valueAt(params, issue.path)));
  if (!checked.ok) return { code: "bad_params", message: checked.message };
  return { toolId: tool.id, params: params as JsonObject };
}

function valueAt(params: unknown, path: readonly PropertyKey[]): unknown {
  let value = params;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function asksByItself(tool: Tool, params: unknown, context: ToolContext): boolean {
  const { approval } = tool;
  if (typeof approval !== "function") return approval === "always";
  try {
    const checked = checkParams(tool, params);
    return approval(checked.ok ? checked.params : params, context);
  } catch {
    return true; // If the tool's rule throws, the call needs approval.
  }
}

function badTool(id: string, problem: string): CairnError {
  return new CairnError("bad_tool", `Tool ${JSON.stringify(id)}: ${problem}`, { tool: id });
}
