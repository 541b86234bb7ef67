/**
 * Hosting fields: where the bytes of a file are kept. These fields are for the runtime and never for a model.
 *
 * In a tool's output, a field such as `key` usually has a meaning of its own. So fields are removed only from objects
 * that describe a file: objects with a hosting address or an artifact's path.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../base/json.ts";

const HOSTING_FIELDS: ReadonlySet<string> = new Set(["hosted_uri", "rn", "key", "local_path", "base64"]);
const MAY_DESCRIBE_FILE = /"(?:hosted_uri|local_path|rn|artifact_path|physical_path)"\s*:/;

/** Removes the hosting fields of described files, at any depth, if the text is JSON. */
export function hideHosting(text: string): string {
  if (!/^\s*[[{]/.test(text) || !MAY_DESCRIBE_FILE.test(text)) return text;
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(withoutHosting(value));
}

export function withoutHosting(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutHosting);
  if (!isJsonObject(value)) return value;
  const isFile = describesFile(value);
  const kept = Object.entries(value).filter(([field]) => !(isFile && HOSTING_FIELDS.has(field)));
  return Object.fromEntries(kept.map(([field, content]) => [field, withoutHosting(content ?? null)]));
}

function describesFile(value: JsonObject): boolean {
  return ["hosted_uri", "local_path", "rn", "artifact_path", "physical_path"].some((field) =>
    Object.hasOwn(value, field),
  );
}
