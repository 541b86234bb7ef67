/**
 * The part of a produced text file that is embedded in the timeline: at most 20 KB of UTF-8, without splitting a
 * character, followed by `...[truncated]`. The mark does not count towards the limit; a file of exactly the limit is
 * embedded whole. A lone surrogate counts as the three bytes that encode it.
 */
import { CairnError } from "../base/error.ts";

export const PREVIEW_BYTES = 20 * 1024;

const TRUNCATED = "...[truncated]";

/** Reads no further than the limit, however long the text is. */
export function previewText(text: string, limitBytes: number = PREVIEW_BYTES): string {
  if (typeof text !== "string") throw new CairnError("bad_input", "Only a text has a text preview.");
  if (Number.isNaN(limitBytes)) throw new CairnError("bad_input", "The limit of a preview must be a number of bytes.");
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.codePointAt(index) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > limitBytes) return text.slice(0, index) + TRUNCATED;
    index += code < 0x10000 ? 1 : 2;
  }
  return text;
}
