/** The JSON text of a caller's value. A value that JSON cannot represent is the caller's error. */
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
