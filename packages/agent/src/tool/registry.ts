/**
 * The tools of an agent, in a fixed order: sorted by id, so that every request offers them alike.
 *
 * A model is told of a tool's parameters as JSON Schema: the tool's own, or made once from the schema they are checked
 * with. Properties keep the order they were defined in: a model writes them in that order, and what streams wants the
 * path before the content.
 */
import { CairnError, type JsonObject } from "@cairn/timeline";
import { z } from "zod";
import type { ToolSpec } from "../model/model.ts";
import { isRef } from "./bind-refs.ts";
import { type CheckedParams, checkParams } from "./check-params.ts";
import type { AnyTool, Tool } from "./tool.ts";
import { policyOf, type ToolPolicies } from "./tool-policy.ts";

export interface ToolRegistry {
  /** Sorted by id. */
  readonly tools: readonly Tool[];
  specs(): readonly ToolSpec[];
  /** By id or by an older name of it. */
  find(id: string): Tool | undefined;
  /** The parameters as the tool takes them, or what is wrong with them. */
  validate<P>(tool: Tool<P>, params: unknown): CheckedParams<P>;
  /**
   * A call as a model made it: the tool's own id and the parameters as they came, or why it cannot be made. A value
   * that is still to be bound (`ref:`) is not held to what is expected of the content.
   */
  check(
    name: string,
    params: unknown,
  ): { readonly toolId: string; readonly params: JsonObject } | { readonly code: string; readonly message: string };
  /** Whether it depends on a call's parameters, or is always asked, if a person agrees. */
  mayAsk(tool: Tool): boolean;
  /** Whether a person has to agree to a call with these parameters, whose references are bound. A rule that throws asks. */
  asks(tool: Tool, params: unknown): boolean;
}

/** Names that are read and never offered. */
const ALIASES: ReadonlyMap<string, string> = new Map([["react.memory_hide", "react.hide"]]);

const TOOL_ID = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const LONGEST_ID = 128;

/** Tools that a policy refuses are left out. Throws `bad_tool` for an id that is taken or malformed, and for parameters no schema can be made of. */
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
    validate: (tool, params) => checkParams(tool, params),
    check: (name, params) => checkCall(sorted, find(name), name, params),
    mayAsk: (tool) => {
      const policy = policyOf(policies, tool.id);
      return policy === null ? tool.approval !== undefined && tool.approval !== "never" : policy === "ask";
    },
    asks: (tool, params) => {
      const policy = policyOf(policies, tool.id);
      return policy === null ? asksByItself(tool, params) : policy === "ask";
    },
  };
}

function checkTool(tool: AnyTool): void {
  const { id } = tool;
  if (typeof id !== "string" || !TOOL_ID.test(id) || id.length > LONGEST_ID)
    throw badTool(String(id).slice(0, LONGEST_ID), "an id may contain only letters, digits, `_`, `-` and single dots.");
  if (typeof tool.description !== "string" || tool.description.trim() === "")
    throw badTool(id, "it has no description. Say what it does and when to use it.");
  if (typeof tool.run !== "function") throw badTool(id, "`run` is not a function.");
  if (tool.timeout !== undefined && !(tool.timeout > 0))
    throw badTool(id, "`timeout` must be a number of milliseconds above 0.");
}

function schemaOf(tool: Tool): JsonObject {
  let schema: JsonObject;
  try {
    const { $schema: _, ...rest } = tool.schema ?? z.toJSONSchema(tool.params, { io: "input" });
    schema = JSON.parse(JSON.stringify(rest)) as JsonObject;
  } catch (error) {
    throw badTool(
      tool.id,
      `its parameters cannot be converted to a JSON Schema (${error instanceof Error ? error.message : error}).`,
    );
  }
  if (schema.type !== "object") throw badTool(tool.id, "its parameters must be an object schema.");
  return schema;
}

function checkCall(tools: readonly Tool[], tool: Tool | undefined, name: string, params: unknown) {
  if (tool === undefined) {
    const known = tools.map(({ id }) => id).join(", ");
    return {
      code: "unknown_tool",
      message: `There is no tool ${JSON.stringify(name.slice(0, LONGEST_ID))}. The tools are: ${known}.`,
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

function asksByItself(tool: Tool, params: unknown): boolean {
  const { approval } = tool;
  if (typeof approval !== "function") return approval === "always";
  try {
    const checked = checkParams(tool, params);
    return approval(checked.ok ? checked.params : params);
  } catch {
    return true; // Whoever cannot decide asks a person.
  }
}

function badTool(id: string, problem: string): CairnError {
  return new CairnError("bad_tool", `Tool ${JSON.stringify(id)}: ${problem}`, { tool: id });
}
