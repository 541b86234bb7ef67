/**
 * How an incoming row joins the row that is already there.
 *
 * - The longer `title`, `text`, `content` wins; of equals the one that is there.
 * - A field that is missing (absent, null or empty) is filled; any other is kept.
 * - A local row describes a file that may have been written again: the newer `text`, `mime`, `size_bytes` and hosting
 *   fields replace, and so does `base64`, which is the file's content as `text` is.
 *
 * No field is ever dropped, except inline `base64` over 4,000 characters, which never enters. Rows are rebuilt from
 * entries, so that a field called `__proto__` is a field like any other.
 */
import type { Json, JsonObject } from "../json.ts";
import type { SourceRow } from "./row.ts";

const MAX_INLINE_BASE64 = 4_000;

const LONGER_WINS: ReadonlySet<string> = new Set(["title", "text", "content"]);
const NEWER_WINS: ReadonlySet<string> = new Set(["text", "mime", "size_bytes", "hosted_uri", "rn", "key", "base64"]);

type Fields = [string, Json | undefined][];

/** The incoming row as a new row of the pool. */
export function admitRow(incoming: JsonObject, sid: number): SourceRow {
  return Object.fromEntries([["sid", sid], ...admittedFields(incoming)]) as SourceRow;
}

/** The row there with what the incoming one adds; the same reference when it adds nothing. */
export function mergeRow(there: SourceRow, incoming: JsonObject, local: boolean): SourceRow {
  const changes = admittedFields(incoming).filter(([field, value]) => {
    if (!Object.hasOwn(there, field)) return true;
    const current = there[field];
    if (isMissing(current)) return !isMissing(value);
    if (local && NEWER_WINS.has(field)) return replaces(field, value) && value !== current;
    if (!LONGER_WINS.has(field)) return false;
    return typeof value === "string" && typeof current === "string" && value.length > current.length;
  });
  if (changes.length === 0) return there;
  return Object.fromEntries([...Object.entries(there), ...changes]) as SourceRow;
}

function admittedFields(incoming: JsonObject): Fields {
  return Object.entries(incoming).filter(
    ([field, value]) =>
      field !== "sid" && !(field === "base64" && typeof value === "string" && value.length > MAX_INLINE_BASE64),
  );
}

/** A file can have become empty; every other field only gives way to a value. */
function replaces(field: string, value: Json | undefined): boolean {
  return field === "text" ? typeof value === "string" : !isMissing(value);
}

function isMissing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
