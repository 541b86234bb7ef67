/** A row without internal fields: where its bytes are hosted, and the bytes themselves. */
import type { JsonObject } from "../base/json.ts";

const PRIVATE_FIELDS: ReadonlySet<string> = new Set(["hosted_uri", "rn", "key", "local_path", "base64"]);

export function publicRow<T extends JsonObject>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !PRIVATE_FIELDS.has(field))) as T;
}
