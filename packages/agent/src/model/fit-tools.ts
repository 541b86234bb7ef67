/**
 * Adapts tools to a provider: names, schemas and the names of parameters. The model's calls are converted back to the
 * tools' own names and parameters. `describeFitting` lists the changes when the agent starts.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import { fitKeywords } from "./fit-keywords.ts";
import { unwrapParams, wrapSchema } from "./fit-schema.ts";
import type { ToolSpec } from "./model.ts";
import type { SchemaRule } from "./providers/provider.ts";
import { type ToolNames, wireToolNames } from "./tool-name.ts";

export interface FittingRules {
  readonly refusedAtRoot?: readonly string[] | undefined;
  readonly schemas?: SchemaRule | undefined;
}

interface FittedTool {
  readonly schema: JsonObject;
  /** Keywords that were moved into descriptions. */
  readonly moved: ReadonlySet<string>;
  /** Converts the parameters of a call back to the tool's form; null when they need no conversion. */
  readonly restore: ((params: string) => string) | null;
}

const PARAMETER_NAMES = { maxLength: 64, startsWithAny: true };

export function fitTool({ schema: own }: ToolSpec, { refusedAtRoot = [], schemas = {} }: FittingRules): FittedTool {
  const wrapped = wrapSchema(own, refusedAtRoot);
  const { schema: fitted, moved } = fitKeywords(wrapped ?? own, schemas);
  if (wrapped !== null) return { schema: fitted, moved, restore: unwrapParams };
  const { properties, required } = fitted;
  const isLegal = (name: string) => schemas.parameterNames?.test(name) ?? true;
  if (!isJsonObject(properties) || Object.keys(properties).every(isLegal))
    return { schema: fitted, moved, restore: null };
  const names = wireToolNames(Object.keys(properties), PARAMETER_NAMES);
  const toWire = (name: Json) => (typeof name === "string" ? names.toWire(name) : name);
  return {
    schema: {
      ...fitted,
      properties: renamed(properties, names.toWire),
      ...(Array.isArray(required) ? { required: required.map(toWire) } : {}),
    },
    moved,
    restore: (params) => restoreNames(params, names),
  };
}

/** The changes that a model requires for these tools, one sentence each. */
export function describeFitting(model: string, tools: readonly ToolSpec[], rules: FittingRules): string[] {
  const fitted = tools.map((tool) => ({ name: tool.name, ...fitTool(tool, rules) }));
  const moved = new Set(fitted.flatMap((tool) => [...tool.moved]));
  const movedIn = fitted.filter((tool) => tool.moved.size > 0).map(({ name }) => name);
  const restored = fitted.filter(({ restore }) => restore !== null).map(({ name }) => name);
  return [
    ...(moved.size === 0
      ? []
      : [
          `${model} does not take the schema keywords ${[...moved].sort().join(", ")}. Their meaning is written into the descriptions of ${listed(movedIn)}.`,
        ]),
    ...(restored.length === 0
      ? []
      : [`${model} does not take the parameters of ${listed(restored)} as they are. They are sent in another form.`]),
  ];
}

const LISTED = 5;

function listed(names: readonly string[]): string {
  if (names.length <= LISTED) return names.join(", ");
  return `${names.slice(0, LISTED).join(", ")} and ${names.length - LISTED} other tools`;
}

function renamed(fields: JsonObject, rename: (name: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [rename(name), value ?? null]));
}

/** Restores the names of parameters. Returns text that is not a JSON object unchanged; a later check reports it. */
function restoreNames(params: string, names: ToolNames): string {
  let parsed: Json;
  try {
    parsed = JSON.parse(params) as Json;
  } catch {
    return params;
  }
  return isJsonObject(parsed) ? JSON.stringify(renamed(parsed, names.fromWire)) : params;
}
