/**
 * The JSON text of a caller's value. Cycles, excessive nesting and values that JSON cannot represent are the caller's
 * errors.
 */
import { storeError } from "./errors.ts";

export function toJson(name: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw storeError("bad_argument", `\`${name}\` cannot be stored as JSON: ${reason}`, { argument: name });
  }
  if (text === undefined) throw storeError("bad_argument", `\`${name}\` cannot be stored as JSON.`, { argument: name });
  return text;
}
