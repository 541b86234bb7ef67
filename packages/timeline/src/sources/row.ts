/** A row of the sources pool. A row may contain any additional fields; none is ever dropped. */
import { CairnError } from "../base/error.ts";
import { isJsonObject, isTooDeep, type Json, type JsonObject } from "../base/json.ts";

/** A source as found by a tool. A `sid` in it is ignored: only the pool assigns SIDs. */
export interface SourceInput {
  readonly source_type?: "web" | "file" | "attachment" | "manual" | (string & {});
  readonly title?: string;
  /** Extract of a web page, or the text of a file. */
  readonly text?: string;
  /** The full text, when `text` is only an extract. */
  readonly content?: string;
  readonly url?: string;
  readonly domain?: string;
  readonly mime?: string;
  readonly size_bytes?: number;
  readonly artifact_path?: string;
  readonly physical_path?: string;
  readonly hosted_uri?: string;
  readonly rn?: string;
  readonly key?: string;
  readonly base64?: string;
  readonly [field: string]: Json | undefined;
}

export interface SourceRow extends SourceInput {
  readonly sid: number;
}

/** Whether a value can be a SID: a positive whole number. */
export function isSid(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

/** The string in a field; undefined when the field is missing, empty or not a string. */
export function textField(row: JsonObject, field: string): string | undefined {
  const value = Object.hasOwn(row, field) ? row[field] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Validates incoming rows; throws `bad_source` when they are not a list of objects. */
export function checkRows(rows: unknown): asserts rows is readonly JsonObject[] {
  if (!Array.isArray(rows)) throw badSource("the rows are not a list");
  for (let at = 0; at < rows.length; at++) {
    if (!isJsonObject(rows[at])) throw badSource(`row ${at} is not an object`);
    if (isTooDeep(rows[at])) throw badSource(`row ${at} is nested too deeply`);
  }
}

export function badSource(problem: string): CairnError {
  return new CairnError("bad_source", `Sources refused: ${problem}. Send a list of JSON objects.`, { problem });
}
