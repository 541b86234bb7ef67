/**
 * Blanks out quoted text in a message: text in quotation marks or between tags, quoted lines, code, forwarded messages,
 * and text after a colon ("Translate this: …", "The sign says: …"). The result is as long as the message, so that a
 * position means the same in both. The text is read in one pass, whatever quotations are left open.
 */
import { forwardedFrom, handedOver, taggedTexts } from "./handed-over.ts";

const CLOSERS = new Map([
  ["“", "”"],
  ["„", "“”"],
  ["«", "»"],
  ["»", "«"],
  ["‹", "›"],
  ["「", "」"],
  ["『", "』"],
  ["‘", "’"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);
/** Quotation marks that can be apostrophes. Such a mark ends a quotation only on the same line. */
const WITHIN_LINE = new Set(["'", "‘", "`"]);

export function blankQuotations(text: string): string {
  const kept = text.split("");
  const blank = (from: number, to: number) => {
    for (let i = from; i < to; i++) if (kept[i] !== "\n" && kept[i] !== "\r") kept[i] = " ";
  };
  for (const [from, to] of quotedLines(text)) blank(from, to);
  for (const [from, to] of taggedTexts(text)) blank(from, to);
  for (const [from, to] of handedOver(text)) blank(from, to);
  blank(forwardedFrom(text), text.length);
  /** Index at which each kind of quotation mark was opened. */
  const open = new Map<string, number>();
  for (let i = 0; i < kept.length; i++) {
    const mark = kept[i] ?? "";
    if (mark === "\n") for (const each of WITHIN_LINE) open.delete(each);
    const opened = openerClosedBy(open, mark);
    if (opened !== null && closes(mark, text, i)) {
      blank(open.get(opened) ?? i, i + 1);
      open.clear();
    } else if (CLOSERS.has(mark) && !open.has(mark) && opens(mark, text, i)) open.set(mark, i);
  }
  return kept.join("");
}

function openerClosedBy(open: ReadonlyMap<string, number>, mark: string): string | null {
  for (const opener of open.keys()) if (CLOSERS.get(opener)?.includes(mark)) return opener;
  return null;
}

/** Straight quotes and apostrophes open a quotation after a space or a bracket, before a word. */
function opens(mark: string, text: string, at: number): boolean {
  if (mark !== '"' && mark !== "'" && mark !== "‘") return true;
  const before = text[at - 1] ?? "";
  return (/^[\s([{:,;—–-]?$/u.test(before) || UNSPACED.test(before)) && /[^\s]/u.test(text[at + 1] ?? "");
}

function closes(mark: string, text: string, at: number): boolean {
  const after = text[at + 1] ?? "";
  return (mark !== "'" && mark !== "’" && mark !== '"') || !/[\p{L}\p{N}]/u.test(after) || UNSPACED.test(after);
}

/** Scripts without spaces, where quotation marks are between letters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}：，。、]/u;

/** Lines of fenced or indented code, and lines that quote a message. */
function* quotedLines(text: string): Generator<readonly [from: number, to: number]> {
  let fence: string | null = null;
  /** Whether an indented line is code: at the beginning, after a blank line, and after code. */
  let mayIndent = true;
  let from = 0;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3}|~{3})/.exec(line)?.[1];
    const isIndented: boolean = mayIndent && /^(?: {4}|\t)\s*\S/.test(line);
    if (fence !== null || mark !== undefined || isIndented || /^ {0,3}>/.test(line)) yield [from, from + line.length];
    if (fence === null) fence = mark ?? null;
    else if (mark === fence) fence = null;
    mayIndent = isIndented || line.trim() === "";
    from += line.length + 1;
  }
}
