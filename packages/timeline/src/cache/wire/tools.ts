/**
 * Tools in a fixed order: by name, and the keys of each schema by name too. A registry that lists them in another
 * order, or a server that spells a schema's keys differently each time, must not cost the whole cache.
 */
import { CairnError } from "../../base/error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import type { WireTool } from "./wire-request.ts";

/** Maximum depth of a schema that is sorted, to bound the recursion. Schemas that people write are less deep. */
const MAX_DEPTH = 200;

export function orderTools(tools: readonly WireTool[]): WireTool[] {
  const ordered = [...tools].sort((a, b) => compare(a.name, b.name));
  for (const [at, { name }] of ordered.entries())
    if (name === ordered[at + 1]?.name)
      throw new CairnError("duplicate_tool", `Two tools are named ${name}; providers refuse that.`, { name });
  return ordered.map(({ name, description, schema }) => ({ name, description, schema: orderObject(schema, name, 0) }));
}

function orderJson(value: Json | undefined, tool: string, depth: number): Json {
  if (depth > MAX_DEPTH)
    throw new CairnError("bad_tool", `The schema of ${tool} is nested deeper than ${MAX_DEPTH} levels.`, { tool });
  if (Array.isArray(value)) return value.map((item) => orderJson(item, tool, depth + 1));
  return isJsonObject(value) ? orderObject(value, tool, depth) : (value ?? null);
}

function orderObject(object: JsonObject, tool: string, depth: number): JsonObject {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  const ordered = entries.sort(([a], [b]) => compare(a, b));
  return Object.fromEntries(ordered.map(([key, value]) => [key, orderJson(value, tool, depth + 1)]));
}

/** Compares UTF-16 units, so that the order does not depend on the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
