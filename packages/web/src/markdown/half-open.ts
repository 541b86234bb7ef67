/**
 * Completes the end of a text that is still being written: open marks are closed, a link without its complete address
 * becomes its words, the first line of a table becomes a table, a formula becomes its source, and an incomplete
 * citation is hidden. Only text after the last empty line is changed, and only if something is open there.
 */
import { fencesOf } from "../text/fences.ts";

const HALF_CITATION = /[[［](?:[[［][ \t]*(?:s[ \t]*(?:[:：][\d \t,–-]*[\]］]?)?)?)?$/i;
const HALF_LINK = /(?<!!)\[([^[\]\n]+)\](?:\([^()\s]*)?$/;

export function closeHalfOpen(text: string): string {
  const code = endOfCode(text);
  if (code === null) return text;
  const formula = openFormula(text.slice(code));
  if (formula !== null) {
    const at = code + formula;
    return `${text.slice(0, at)}\n\`\`\`tex\n${text.slice(at + 2).trim()}\n\`\`\``;
  }
  const blank = text.lastIndexOf("\n\n");
  const before = text.slice(0, Math.max(code, blank < 0 ? 0 : blank + 2));
  const last = text.slice(before.length);
  return before + closeTable(closeMarks(last.replace(HALF_CITATION, "").replace(HALF_LINK, "$1")));
}

/** The end of the last fenced code; null when the text ends inside it. */
function endOfCode(text: string): number | null {
  const { open, end } = fencesOf(text);
  return open === null ? end : null;
}

/** The start of an unfinished formula. It is at the beginning of a line, and contains no empty line. */
function openFormula(text: string): number | null {
  const isOdd = text.split("$$").length % 2 === 0;
  const at = isOdd ? text.lastIndexOf("$$") : text.lastIndexOf("\\[");
  if (at < 0 || !/(?:^|\n)[ \t]*$/.test(text.slice(0, at))) return null;
  const source = text.slice(at + 2);
  return source.includes("\n\n") || (!isOdd && source.includes("\\]")) ? null : at;
}

/** Completes the first line of a table that has two cells. Its second line may be missing or incomplete. */
function closeTable(block: string): string {
  const [head = "", line, ...rest] = block.split("\n");
  if (!/^ {0,3}\|[^|]+\|.*[^|\s]/.test(head) || rest.length > 0) return block;
  if (line !== undefined && !/^[ \t|:-]*$/.test(line)) return block;
  const cells = head
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split(/(?<!\\)\|/).length;
  if ((line?.match(/-+/g)?.length ?? 0) >= cells) return block;
  return `${head}\n|${" --- |".repeat(cells)}`;
}

/** Closes marks that are open at the end. An open mark at the very end is removed. */
function closeMarks(block: string): string {
  const open = openMarks(block);
  let words = open.length === 0 ? block : block.trimEnd();
  while (open.length > 0 && words.endsWith(open.at(-1) ?? ""))
    words = words.slice(0, -(open.pop() ?? "").length).trimEnd();
  return words + open.toReversed().join("");
}

const MARKS = /\\[\s\S]|`+|\*+|~~/g;

function openMarks(block: string): string[] {
  const open: string[] = [];
  for (const { 0: mark, index: at } of block.matchAll(MARKS)) {
    const inner = open.at(-1) ?? "";
    if (mark === inner && (mark.startsWith("`") || isText(block[at - 1]))) open.pop();
    else if (!inner.startsWith("`") && !mark.startsWith("\\") && opens(mark, block, at)) open.push(mark);
  }
  return open;
}

/** Emphasis begins before a word, and a single mark must not follow a word: `2*3` has no emphasis. */
function opens(mark: string, block: string, at: number): boolean {
  const next = block[at + mark.length];
  if (mark.startsWith("`")) return true;
  return (next === undefined || isText(next)) && (mark.length > 1 || !isText(block[at - 1]));
}

function isText(character: string | undefined): boolean {
  return character !== undefined && !/\s/.test(character);
}
