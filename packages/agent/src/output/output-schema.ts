/**
 * The JSON Schema of a message that asks for structured output. It comes from a caller, so it is checked before the
 * message is stored. A schema that could not be checked later, or only slowly, is refused here with the reason.
 */
import { createHash } from "node:crypto";
import { CairnError, isJsonObject, type JsonObject } from "@cairn/timeline";
import { type CheckValue, schemaCheck } from "../schema/schema-check.ts";
import { uncheckedPatterns } from "../schema/schema-patterns.ts";

/** Maximum length of the schema's JSON, because the model reads it with every request of the turn. */
const MAX_LENGTH = 20_000;
const MAX_DEPTH = 50;

export interface OutputSchema {
  /** The JSON Schema, without its `$schema` field. */
  readonly schema: JsonObject;
  /** SHA-256 of the JSON of the schema. */
  readonly hash: string;
  readonly check: CheckValue;
}

/** Throws `bad_output_schema` with the reason. */
export function readOutputSchema(given: unknown): OutputSchema {
  if (!isJsonObject(given) || given.type !== "object")
    throw refused('it must be a JSON Schema with `"type": "object"` at its root. Put a list or a text into a field.');
  // This check comes first, because recursive code could overflow the stack on a deeply nested schema.
  if (isDeeper(given, MAX_DEPTH)) throw refused(`it is nested more than ${MAX_DEPTH} levels deep.`);
  const { $schema: _, ...schema } = given;
  const json = JSON.stringify(schema);
  if (json.length > MAX_LENGTH) throw refused(`it has ${json.length} characters; at most ${MAX_LENGTH} are allowed.`);
  const [pattern] = uncheckedPatterns(schema);
  if (pattern !== undefined)
    throw refused(
      `the pattern ${JSON.stringify(pattern.slice(0, 200))} cannot be matched in linear time. Patterns may have neither lookarounds nor back references.`,
    );
  const check = schemaCheck(schema);
  if (check === null) throw refused("it is too large, refers to itself without end, or uses unsupported keywords.");
  return { schema, hash: createHash("sha256").update(json).digest("hex"), check };
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

function refused(reason: string): CairnError {
  return new CairnError("bad_output_schema", `The schema of \`output\` cannot be used: ${reason}`);
}
