/**
 * Where the code of a Markdown text is: fenced and indented blocks, and spans between backticks. The text is read as
 * CommonMark reads it, line by line and without building a tree; block quotes and list items before a fence are
 * allowed. Every character is read a bounded number of times.
 */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds code in Markdown. The ranges are in text order and do not overlap. */
export function markdownCode(text: string): Range[] {
  const found: Range[] = [];
  let fence: { readonly mark: string; readonly start: number; readonly isQuoted: boolean } | null = null;
  let paragraph = -1;
  let wasBlank = true;
  let inList = false;
  const endParagraph = (end: number) => {
    if (paragraph >= 0) addSpans(text, paragraph, end, found);
    paragraph = -1;
  };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(start, end);
    if (fence?.isQuoted === true && !QUOTED.test(line)) {
      found.push({ start: fence.start, end: start }); // A code block in a quotation ends with the quotation.
      fence = null;
    }
    if (fence !== null) {
      if (closes(line, fence)) {
        found.push({ start: fence.start, end });
        fence = null;
        wasBlank = true;
      }
    } else {
      const mark = FENCE.exec(line)?.[1];
      const isBlank = line.trim() === "";
      if (BEGINS_BLOCK.test(line)) endParagraph(start);
      const isIndented = /^(?: {4}| {0,3}\t)/.test(line) && !isBlank;
      if (mark !== undefined && !(mark.startsWith("`") && line.slice(line.indexOf(mark) + mark.length).includes("`"))) {
        endParagraph(start);
        fence = { mark, start, isQuoted: QUOTED.test(line) };
      } else if (isBlank) endParagraph(start);
      else if (isIndented && paragraph < 0 && wasBlank && !inList) {
        found.push({ start, end });
        start = end;
        continue; // An indented line after a blank line belongs to the same code block.
      } else if (paragraph < 0) paragraph = start;
      if (!isBlank && !isIndented && /^\S/.test(line)) inList = /^(?:[-+*]|\d{1,9}[.)])\s/.test(line);
      else if (!isBlank && !isIndented) inList ||= /^ {1,3}(?:[-+*]|\d{1,9}[.)])\s/.test(line);
      wasBlank = isBlank;
    }
    start = end;
  }
  if (fence !== null) found.push({ start: fence.start, end: text.length });
  else endParagraph(text.length);
  return found;
}

const FENCE = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)]))*[ \t]*(`{3,}|~{3,})/;

const QUOTED = /^[ \t]*>/;
/** A heading or a list item begins a block, so a code span of the line before ends there. */
const BEGINS_BLOCK = /^ {0,3}(?:#{1,6}|[-+*]|\d{1,9}[.)])[ \t]/;

function closes(line: string, { mark, isQuoted }: { readonly mark: string; readonly isQuoted: boolean }): boolean {
  const bare = line.replace(isQuoted ? /^[ \t>]*/ : /^[ \t]*/, "").trimEnd();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}

/** Code spans of one paragraph: a run of backticks, and the next run of the same length. */
function addSpans(text: string, start: number, end: number, found: Range[]): void {
  const runs: Range[] = [];
  for (let at = text.indexOf("`", start); at >= 0 && at < end; ) {
    let stop = at;
    while (stop < end && text.charAt(stop) === "`") stop++;
    runs.push({ start: at, end: stop });
    at = text.indexOf("`", stop);
  }
  const next = nextOfLength(runs);
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    const close = runs[next[index] ?? -1];
    if (run === undefined || close === undefined || isEscaped(text, run.start, start)) continue;
    found.push({ start: run.start, end: close.end });
    index = next[index] ?? index;
  }
}

/** Returns, for each run of backticks, the index of the next run of the same length. */
function nextOfLength(runs: readonly Range[]): (number | undefined)[] {
  const latest = new Map<number, number>();
  const next: (number | undefined)[] = [];
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (run === undefined) continue;
    next[index] = latest.get(run.end - run.start);
    latest.set(run.end - run.start, index);
  }
  return next;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes >= from && text.charAt(at - 1 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}
