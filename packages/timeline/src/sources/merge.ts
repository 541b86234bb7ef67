/**
 * How an incoming row is merged into an existing one.
 *
 * - The longer `title`, `text` or `content` wins; of equals, the existing one.
 * - A field that is missing (absent, null or empty) is filled; any other is kept.
 * - A local row describes a file that may have been rewritten: the newer `text`, `mime`, `size_bytes` and hosting
 *   fields replace, and so does `base64`, which is the file's content as `text` is.
 *
 * No field is ever dropped, except inline `base64` over 4,000 characters, which is never stored. Rows are rebuilt from
 * entries, so that a field called `__proto__` is a field like any other.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { SourceRow } from "./row.ts";

const MAX_INLINE_BASE64 = 4_000;

const LONGER_WINS: ReadonlySet<string> = new Set(["title", "text", "content"]);
const NEWER_WINS: ReadonlySet<string> = new Set(["text", "mime", "size_bytes", "hosted_uri", "rn", "key", "base64"]);

type Fields = [string, Json | undefined][];

/** Converts an incoming row to a new row of the pool. */
export function admitRow(incoming: JsonObject, sid: number): SourceRow {
  return Object.fromEntries([["sid", sid], ...admittedFields(incoming)]) as SourceRow;
}

/** A row during the merge of a batch. All rows of one source share a draft, so the cost depends on the batch only. */
export class RowDraft {
  readonly #before: SourceRow;
  #fields: Map<string, Json | undefined> | null = null;

  constructor(row: SourceRow) {
    this.#before = row;
  }

  add(incoming: JsonObject, local: boolean): void {
    for (const [field, value] of admittedFields(incoming))
      if (this.#takes(field, value, local)) this.#set(field, value);
  }

  /** The merged row; the same reference as before when nothing changed. */
  get row(): SourceRow {
    return this.#fields === null ? this.#before : (Object.fromEntries(this.#fields) as SourceRow);
  }

  #takes(field: string, value: Json | undefined, local: boolean): boolean {
    if (!this.#has(field)) return true;
    const current = this.#get(field);
    if (isMissing(current)) return !isMissing(value);
    if (local && NEWER_WINS.has(field)) return replaces(field, value) && value !== current;
    if (!LONGER_WINS.has(field)) return false;
    return typeof value === "string" && typeof current === "string" && value.length > current.length;
  }

  #has(field: string): boolean {
    return this.#fields === null ? Object.hasOwn(this.#before, field) : this.#fields.has(field);
  }

  #get(field: string): Json | undefined {
    return this.#fields === null ? this.#before[field] : this.#fields.get(field);
  }

  #set(field: string, value: Json | undefined): void {
    this.#fields ??= new Map(Object.entries(this.#before));
    this.#fields.set(field, value);
  }
}

function admittedFields(incoming: JsonObject): Fields {
  return Object.entries(incoming).filter(
    ([field, value]) =>
      field !== "sid" && !(field === "base64" && typeof value === "string" && value.length > MAX_INLINE_BASE64),
  );
}

/** Whether a new value replaces the old one. Only a text may be empty, because a rewritten file may be empty. */
function replaces(field: string, value: Json | undefined): boolean {
  return field === "text" ? typeof value === "string" : !isMissing(value);
}

function isMissing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "";
}
