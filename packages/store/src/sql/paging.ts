/** Limits and cursors. A cursor is the sort key of the last returned item, as numbers joined by dots. */
import { storeError } from "../contract/errors.ts";

export function pageLimit(limit: number | undefined, byDefault: number, most = 1_000): number {
  return checkRange("limit", limit ?? byDefault, most);
}

export function checkRange(name: string, value: number, most: number): number {
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw storeError("bad_argument", `\`${name}\` must be a whole number from 1 to ${most}.`, { [name]: value });
  return value;
}

export function checkSeq(name: string, seq: number): number {
  if (!Number.isSafeInteger(seq) || seq < 0)
    throw storeError("bad_argument", `\`${name}\` must be a whole number of at least 0.`, { [name]: seq });
  return seq;
}

export function encodeCursor(...parts: readonly number[]): string {
  return parts.join(".");
}

/** Reads a cursor; null without one. */
export function decodeCursor(cursor: string | undefined, parts: number): number[] | null {
  if (cursor === undefined) return null;
  const numbers = /^\d{1,16}(\.\d{1,16})*$/.test(cursor) ? cursor.split(".").map(Number) : [];
  if (numbers.length !== parts || !numbers.every(Number.isSafeInteger))
    throw storeError("bad_argument", "The cursor was not issued by this store. Start again without a cursor.", {
      cursor,
    });
  return numbers;
}
