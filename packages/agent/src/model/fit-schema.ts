/**
 * Converts tool schemas to a form that a provider accepts. Providers reject some keywords at the root of a schema. One
 * such tool, for example of an MCP server, would make every turn fail. Such a schema becomes the schema of one field,
 * `input`, and the field's value is extracted again from the call. References inside the schema are adapted.
 */
import { isJsonObject, type Json, type JsonObject } from "@cairn/timeline";

const FIELD = "input";
/** Keys with definitions. They stay at the root, so that references to them stay valid. */
const DEFINITIONS = ["$defs", "definitions"];

/** The wrapped schema, or null when its root contains no rejected keyword. */
export function wrapSchema(schema: JsonObject, refused: readonly string[]): JsonObject | null {
  if (!refused.some((keyword) => schema[keyword] !== undefined)) return null;
  const entries = Object.entries(schema);
  const isDefinitions = ([key]: [string, unknown]) => DEFINITIONS.includes(key);
  return {
    type: "object",
    properties: { [FIELD]: moveReferences(Object.fromEntries(entries.filter((entry) => !isDefinitions(entry)))) },
    required: [FIELD],
    additionalProperties: false,
    ...(moveReferences(Object.fromEntries(entries.filter(isDefinitions))) as JsonObject),
  };
}

/** Unwraps the parameters. Parameters that are not wrapped, or not JSON, are returned unchanged. */
export function unwrapParams(text: string): string {
  const parsed = parse(text);
  const keys = isJsonObject(parsed) ? Object.keys(parsed) : [];
  return isJsonObject(parsed) && keys.length === 1 && isJsonObject(parsed[FIELD])
    ? JSON.stringify(parsed[FIELD])
    : text;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // Wrong parameters are returned unchanged; the later check of the call reports the mistake.
  }
}

function moveReferences(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (!isJsonObject(value)) return value ?? null;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "$ref" && typeof inner === "string" ? movedReference(inner) : moveReferences(inner),
    ]),
  );
}

function movedReference(reference: string): string {
  const isMoved = reference === "#" || reference.startsWith("#/");
  if (!isMoved || DEFINITIONS.some((name) => reference.startsWith(`#/${name}/`))) return reference;
  return `#/properties/${FIELD}${reference.slice(1)}`;
}
