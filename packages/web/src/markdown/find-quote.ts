/** The passage of a source that a citation refers to, with the text around it, or else the beginning of the source. */
import { findPassage, quotedAtEnd } from "./find-passage.ts";

export interface Quote {
  readonly before: string;
  /** The cited words; empty if only the beginning of the source is shown. */
  readonly quoted: string;
  readonly after: string;
}

const AROUND = 140;
const OPENING = 320;

export function findQuote(textBefore: string, source: string): Quote | null {
  const text = source.replace(/\s+/g, " ").trim();
  const passage = findPassage(textBefore, text);
  if (passage !== null) {
    const { start, end } = passage;
    const from = Math.max(0, start - AROUND);
    const to = Math.min(text.length, end + AROUND);
    return {
      before: (from > 0 ? "…" : "") + text.slice(from, start),
      quoted: text.slice(start, end),
      after: text.slice(end, to) + (to < text.length ? "…" : ""),
    };
  }
  // A picture or a scanned page has no text, so only the quotation in the answer can be shown.
  const quoted = quotedAtEnd(textBefore);
  if (text === "") return quoted === "" ? null : { before: "", quoted, after: "" };
  return { before: text.slice(0, OPENING) + (text.length > OPENING ? "…" : ""), quoted: "", after: "" };
}
