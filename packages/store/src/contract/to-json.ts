/** JSON text of what a caller gave. Cycles, nesting beyond the stack and values JSON has no word for are the caller's. */
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
