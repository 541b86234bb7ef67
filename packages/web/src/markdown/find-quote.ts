/**
 * The passage of a source that a citation stands for: where the words before it are a quotation, that passage with what
 * surrounds it; otherwise how the source begins.
 */
export interface Quote {
  readonly before: string;
  /** The quoted words; empty when the source is only introduced. */
  readonly quoted: string;
  readonly after: string;
}

const AROUND = 140;
const OPENING = 320;
const QUOTED = /[“"„«]([^“”"„«»]{8,600})[”"“»][\s.,;:)]*$/;

export function findQuote(textBefore: string, source: string): Quote | null {
  const text = source.replace(/\s+/g, " ").trim();
  const quoted = QUOTED.exec(textBefore.trimEnd())?.[1]?.replace(/\s+/g, " ").trim() ?? "";
  const at = quoted === "" ? -1 : text.indexOf(quoted);
  if (at >= 0) {
    const from = Math.max(0, at - AROUND);
    const end = at + quoted.length;
    const to = Math.min(text.length, end + AROUND);
    return {
      before: (from > 0 ? "…" : "") + text.slice(from, at),
      quoted,
      after: text.slice(end, to) + (to < text.length ? "…" : ""),
    };
  }
  // A picture or a scanned page has no text of its own: what the answer quotes is all there is to show.
  if (text === "") return quoted === "" ? null : { before: "", quoted, after: "" };
  return { before: text.slice(0, OPENING) + (text.length > OPENING ? "…" : ""), quoted: "", after: "" };
}
