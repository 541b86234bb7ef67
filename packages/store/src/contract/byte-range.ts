/** A range of bytes, limited to the existing bytes. */
import type { ByteRange } from "./blob-store.ts";
import { storeError } from "./errors.ts";

export function cutRange(range: ByteRange | undefined, size: number): { readonly start: number; readonly end: number } {
  const { start = 0, end = size } = range ?? {};
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < 0)
    throw storeError("bad_argument", "A byte range must be two whole numbers of at least 0.", { start, end });
  return { start, end: Math.min(end, size) };
}
