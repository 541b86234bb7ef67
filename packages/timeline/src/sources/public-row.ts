/** A row without what only the runtime may see: where its bytes are hosted, and the bytes themselves. */
import type { SourceRow } from "./row.ts";

const PRIVATE_FIELDS: ReadonlySet<string> = new Set(["hosted_uri", "rn", "key", "local_path", "base64"]);

export function publicRow(row: SourceRow): SourceRow {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !PRIVATE_FIELDS.has(field))) as SourceRow;
}
