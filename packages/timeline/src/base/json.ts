/** JSON values: what blocks, pool rows and event bodies are made of. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Maximum depth, more than any legitimate value has. Deeper values would overflow the stack of recursive code. */
const MAX_DEPTH = 500;

export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const each of level)
      if (typeof each === "object" && each !== null) for (const content of Object.values(each)) next.push(content);
    level = next;
  }
  return false;
}

/** Parses a JSON list or object; undefined for anything else. Never throws. */
export function parseJson(text: string | undefined): Json | undefined {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    // Each level needs a bracket, so the depth of a short text is not checked.
    return text.length > MAX_DEPTH * 2 && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined; // Not JSON: the caller treats the text as plain text.
  }
}

/** The text of a field; empty if it is not a text. */
export function textIn(json: JsonObject | null, field: string): string {
  const value = json !== null && Object.hasOwn(json, field) ? json[field] : undefined;
  return typeof value === "string" ? value : "";
}

/** Parses a JSON object; null for anything else. Never throws. */
export function parseJsonObject(text: string | undefined): JsonObject | null {
  const value = parseJson(text);
  return isJsonObject(value) ? value : null;
}
