/**
 * Checks that a tool's parameters are a JSON schema of an object, which is the first check of providers. Returns the
 * problem, or null. Covers the keywords that tools usually have, not all of JSON Schema.
 */
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const SCHEMAS_BY_NAME = ["properties", "$defs", "definitions", "patternProperties"];
const SCHEMA_LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];

export interface SchemaProblem {
  /** The names and indexes on the way to a place in the schema. */
  readonly path: readonly string[];
  readonly message: string;
}

export function hasAtRoot(schema: Json | undefined, keywords: readonly string[]): boolean {
  return isJsonObject(schema) && keywords.some((keyword) => schema[keyword] !== undefined);
}

/** A schema and every schema inside it, each with its place. */
export function* schemasIn(
  schema: Json | undefined,
  path: readonly string[] = [],
): Generator<{ readonly schema: JsonObject; readonly path: readonly string[] }> {
  if (!isJsonObject(schema)) return;
  yield { schema, path };
  for (const [, inner, at] of subschemas(schema)) yield* schemasIn(inner, [...path, ...(at ?? [])]);
}

export function checkToolSchema(schema: Json | undefined): SchemaProblem | null {
  if (!isJsonObject(schema)) return { path: [], message: "schema must be an object" };
  if (schema.type !== "object")
    return { path: ["type"], message: `schema must be of type "object", got ${JSON.stringify(schema.type ?? null)}` };
  return checkSchema(schema, []);
}

function checkSchema(schema: Json | undefined, path: readonly string[]): SchemaProblem | null {
  if (typeof schema === "boolean") return null;
  if (!isJsonObject(schema)) return { path, message: `${JSON.stringify(schema)} is not a schema` };
  return checkKeywords(schema, path) ?? checkSubschemas(schema, path);
}

function checkKeywords(schema: JsonObject, path: readonly string[]): SchemaProblem | null {
  const { type, required, enum: values } = schema;
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  for (const each of types)
    if (typeof each !== "string" || !TYPES.has(each))
      return { path: [...path, "type"], message: `${JSON.stringify(each)} is not a type` };
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string")))
    return { path: [...path, "required"], message: "required must be a list of names" };
  if (values !== undefined && !(Array.isArray(values) && values.length > 0))
    return { path: [...path, "enum"], message: "enum must be a list with at least one value" };
  return null;
}

function checkSubschemas(schema: JsonObject, path: readonly string[]): SchemaProblem | null {
  for (const [key, inner, at] of subschemas(schema)) {
    if (at === null) return { path: [...path, key], message: `${key} has the wrong form` };
    const problem = checkSchema(inner, [...path, ...at]);
    if (problem !== null) return problem;
  }
  return null;
}

/** Every schema directly inside another, with its place; null for a keyword with a value of the wrong form. */
function* subschemas(schema: JsonObject): Generator<[key: string, inner: Json | undefined, at: string[] | null]> {
  for (const key of SCHEMAS_BY_NAME) {
    const named = schema[key];
    if (named === undefined) continue;
    if (!isJsonObject(named)) yield [key, named, null];
    else for (const [name, inner] of Object.entries(named)) yield [key, inner, [key, name]];
  }
  for (const key of SCHEMA_LISTS) {
    const list = schema[key];
    if (list === undefined) continue;
    if (!Array.isArray(list) || list.length === 0) yield [key, list, null];
    else for (const [at, inner] of list.entries()) yield [key, inner, [key, `${at}`]];
  }
  for (const key of ["items", "additionalProperties", "not"])
    if (schema[key] !== undefined) yield [key, schema[key], [key]];
}

/** The additional rules of OpenAI's strict mode for every object in a schema. */
export function checkStrictSchema(schema: Json | undefined, path: readonly string[] = []): SchemaProblem | null {
  if (!isJsonObject(schema)) return null;
  if (schema.type === "object" || schema.properties !== undefined) {
    if (schema.additionalProperties !== false)
      return { path, message: "'additionalProperties' is required to be supplied and to be false." };
    const names = Object.keys(isJsonObject(schema.properties) ? schema.properties : {}).sort();
    const required = Array.isArray(schema.required) ? [...schema.required].sort() : [];
    if (!isDeepStrictEqual(names, required))
      return {
        path,
        message: "'required' is required to be supplied and to be an array including every key in properties.",
      };
  }
  for (const [, inner, at] of subschemas(schema)) {
    const problem = checkStrictSchema(inner, [...path, ...(at ?? [])]);
    if (problem !== null) return problem;
  }
  return null;
}
