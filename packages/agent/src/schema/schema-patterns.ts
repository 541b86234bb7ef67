/**
 * Separates the patterns of a JSON Schema from the rest. A library checks the rest; it would run patterns in
 * JavaScript's engine, which may take exponential time. So the library gets the schema without patterns, and this file
 * checks them in linear time.
 *
 * Only unconditional patterns are checked. The MCP server checks patterns below `anyOf`, `oneOf`, `not` and conditions.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";
import { linearPattern } from "./linear-pattern.ts";

const MAX_DEPTH = 50;
/** Maximum number of places checked in one value; the MCP server checks the rest. */
const MAX_CHECKS = 100_000;
const MAPS: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const SINGLE: ReadonlySet<string> = new Set([
  ...["items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"],
  ...["unevaluatedItems", "unevaluatedProperties"],
]);

export interface PatternIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The schema without its patterns. Objects with patterns for their keys accept any key. */
export function withoutPatterns(schema: JsonObject): JsonObject {
  return mapSchema(schema, (keywords) => {
    const { pattern: _, patternProperties, additionalProperties, ...rest } = keywords;
    const closes = additionalProperties !== undefined && patternProperties === undefined;
    return closes ? { ...rest, additionalProperties } : rest;
  });
}

/** The patterns that RE2 does not support, so that they are not checked. */
export function uncheckedPatterns(schema: JsonObject): string[] {
  const found = new Set<string>();
  mapSchema(schema, (keywords) => {
    const { pattern, patternProperties } = keywords;
    const keys = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    for (const each of [...(typeof pattern === "string" ? [pattern] : []), ...keys])
      if (linearPattern(each) === null) found.add(each);
    return keywords;
  });
  return [...found];
}

export function checkPatterns(schema: JsonObject, value: unknown): PatternIssue[] {
  const checking: Checking = { root: schema, issues: [], steps: 0 };
  check(checking, schema, value, [], 0);
  return checking.issues;
}

interface Checking {
  readonly root: JsonObject;
  readonly issues: PatternIssue[];
  steps: number;
}

/** `hops`: how many references and parts were followed at this place of the value, as a schema may refer to itself. */
function check(
  checking: Checking,
  schema: Json | undefined,
  value: unknown,
  path: readonly (string | number)[],
  hops: number,
): void {
  if (!isJsonObject(schema) || path.length + hops > MAX_DEPTH || ++checking.steps > MAX_CHECKS) return;
  const { pattern, $ref, allOf, properties, patternProperties, additionalProperties, items } = schema;
  if (typeof $ref === "string") check(checking, definitionOf(checking.root, $ref), value, path, hops + 1);
  for (const each of Array.isArray(allOf) ? allOf : []) check(checking, each, value, path, hops + 1);
  const below = (part: Json | undefined, each: unknown, key: string | number) =>
    check(checking, part, each, [...path, key], hops);
  if (typeof value === "string") {
    if (typeof pattern === "string" && linearPattern(pattern)?.(value) === false)
      checking.issues.push({ path, message: `must match the pattern ${pattern}` });
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) below(items, each, at);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      const isNamed = isJsonObject(properties) && Object.hasOwn(properties, key);
      const matching = Object.entries(isJsonObject(patternProperties) ? patternProperties : {}).filter(
        ([name]) => linearPattern(name)?.(key) !== false,
      );
      for (const [, part] of matching) below(part, each, key);
      if (isNamed) below(properties[key], each, key);
      else if (matching.length === 0) below(additionalProperties, each, key);
    }
  }
}

function definitionOf(root: JsonObject, ref: string): JsonObject | undefined {
  const [, kind = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
  const definitions = root[kind];
  const found = isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** Changes every schema in a schema. Visits only places where schemas are allowed: a property may be named `pattern`. */
export function mapSchema(schema: JsonObject, change: (keywords: JsonObject) => JsonObject, depth = 0): JsonObject {
  const below = (value: Json): Json =>
    isJsonObject(value) && depth < MAX_DEPTH ? mapSchema(value, change, depth + 1) : value;
  const mapped = Object.entries(schema).map(([keyword, value]): [string, Json | undefined] => {
    if (MAPS.has(keyword) || keyword === "patternProperties")
      return [keyword, isJsonObject(value) ? mapValues(value, below) : value];
    if (LISTS.has(keyword) || (keyword === "items" && Array.isArray(value)))
      return [keyword, Array.isArray(value) ? value.map(below) : value];
    return [keyword, SINGLE.has(keyword) && value !== undefined ? below(value) : value];
  });
  return change(Object.fromEntries(mapped));
}

function mapValues(fields: JsonObject, map: (value: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === undefined ? value : map(value)]),
  );
}
