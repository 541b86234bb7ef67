/** JSON values: what blocks, pool rows and event bodies are made of. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that `text` spells, or null when it spells anything else. Never throws. */
export function parseJsonObject(text: string | undefined): JsonObject | null {
  if (text === undefined || !/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null; // Not JSON: the caller treats the text as plain text.
  }
}
