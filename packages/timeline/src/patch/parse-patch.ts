/**
 * Reads a unified diff into hunks, as tolerantly as possible without guessing.
 *
 * A text is a unified diff when one of its lines is `@@ -a[,b] +c[,d] @@`, whatever follows on that line. Since every
 * line of a hunk begins with a space, `+`, `-` or `\`, a line beginning with `@@` always starts the next hunk.
 *
 * The header's counts say where a hunk ends, so a removed line `-- x` (written `--- x`) is not taken for a file header.
 * Counts that do not match the lines are wrong: the hunk then reaches to the next `@@`, the next pair of file headers
 * or the end, without the blank lines there. An empty line is an empty context line, as many writers strip trailing
 * spaces. A later hunk whose header has no numbers is searched for after the previous one.
 */
import { CairnError } from "../base/error.ts";
import { splitLines, type TextLines } from "./text-lines.ts";

type HunkLineKind = "context" | "removed" | "added";

export interface HunkLine {
  readonly kind: HunkLineKind;
  readonly text: string;
  /** The line end in the patch: `"\n"`, `"\r\n"`, or `""` when the patch stops there. */
  readonly end: string;
  /** Whether the line `\ No newline at end of file` follows. */
  readonly unended: boolean;
}

export interface Hunk {
  /** Number of the line in the patch, from 1. */
  readonly number: number;
  readonly header: string;
  /** Line at which the hunk begins according to its header, from 0; null when the header does not say. */
  readonly start: number | null;
  readonly lines: readonly HunkLine[];
}

const RANGES = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** The hunks of a unified diff; null when it is not one. Throws `patch_failed` for a hunk that cannot be parsed. */
export function parseHunks(patch: string): Hunk[] | null {
  const lines = splitLines(patch);
  if (!lines.texts.some((text) => RANGES.test(text))) return null;
  const end = endInsideFence(lines.texts);
  const starts: number[] = [];
  for (let index = 0; index < end; index++) if (/^@@(?!@)/.test(lines.texts[index] ?? "")) starts.push(index);
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return readHunk(index + 1, { lines, start: start + 1, end: next ?? end, last: next === undefined });
  });
}

/** The lines below one hunk header, up to the next. */
interface Segment {
  readonly lines: TextLines;
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
}

function readHunk(number: number, segment: Segment): Hunk {
  const header = segment.lines.texts[segment.start - 1] ?? "";
  const ranges = RANGES.exec(header);
  const first = Math.min(Number(ranges?.[1]), Number.MAX_SAFE_INTEGER);
  const oldCount = Number(ranges?.[2] ?? 1);
  const newCount = Number(ranges?.[3] ?? 1);
  const lines =
    (ranges === null ? null : readByCounts(segment, oldCount, newCount)) ?? readToEnd(segment, number, header);
  if (lines.length === 0) throw unreadable(number, header, "it has no lines");
  // In a header, `-a,0` means "after line a", and `-a,b` begins at line a.
  const start = ranges === null ? null : oldCount === 0 ? first : Math.max(0, first - 1);
  return { number, header, start, lines };
}

/** The lines according to the header's counts, or null when the counts are wrong. */
function readByCounts(segment: Segment, oldCount: number, newCount: number): HunkLine[] | null {
  const lines: HunkLine[] = [];
  let oldLeft = oldCount;
  let newLeft = newCount;
  let index = segment.start;
  for (; index < segment.end; index++) {
    const kind = kindOf(segment, index);
    if (kind === "unended") {
      markUnended(lines);
      continue;
    }
    if (oldLeft === 0 && newLeft === 0) break;
    if (kind === null) return null;
    if (kind !== "added") oldLeft--;
    if (kind !== "removed") newLeft--;
    if (oldLeft < 0 || newLeft < 0) return null;
    lines.push(lineAt(segment, index, kind));
  }
  if (oldLeft > 0 || newLeft > 0) return null;
  while (index < segment.end && segment.lines.texts[index]?.trim() === "") index++;
  const complete = index === segment.end || endsHunk(segment, index) || kindOf(segment, index) === null;
  return complete ? lines : null;
}

function readToEnd(segment: Segment, number: number, header: string): HunkLine[] {
  const lines: HunkLine[] = [];
  let foreign: number | null = null;
  for (let index = segment.start; index < segment.end; index++) {
    if (endsHunk(segment, index)) break;
    const kind = kindOf(segment, index);
    if (kind === null) foreign ??= index;
    else if (foreign === null && kind === "unended") markUnended(lines);
    else if (foreign === null && kind !== "unended") lines.push(lineAt(segment, index, kind));
    else if (segment.lines.texts[index] !== "") {
      const text = segment.lines.texts[foreign ?? index] ?? "";
      throw unreadable(number, header, "a line begins with neither a space, `+` nor `-`", text);
    }
  }
  while (lines.at(-1)?.kind === "context" && lines.at(-1)?.text.trim() === "") lines.pop();
  return lines;
}

function kindOf(segment: Segment, index: number): HunkLineKind | "unended" | null {
  const text = segment.lines.texts[index] ?? "";
  if (text === "") return "context";
  switch (text[0]) {
    case " ":
      return "context";
    case "-":
      return "removed";
    case "+":
      return "added";
    case "\\":
      return "unended";
    default:
      return null;
  }
}

function lineAt({ lines }: Segment, index: number, kind: HunkLineKind): HunkLine {
  return { kind, text: (lines.texts[index] ?? "").slice(1), end: lines.ends[index] ?? "", unended: false };
}

function markUnended(lines: HunkLine[]): void {
  const line = lines.pop();
  if (line !== undefined) lines.push({ ...line, unended: true });
}

/** The next file's headers, directly above its first hunk, or the signature that ends a mailed patch. */
function endsHunk({ lines: { texts }, end, last }: Segment, index: number): boolean {
  const text = texts[index] ?? "";
  const next = texts[index + 1] ?? "";
  if (text.startsWith("--- ")) return !last && index + 2 === end && next.startsWith("+++ ");
  return last && (text === "-- " || text === "--") && /^\d+\.\d+/.test(next);
}

/** Index of the closing code fence when a fence surrounds the whole patch; otherwise the end of the lines. */
function endInsideFence(texts: readonly string[]): number {
  const first = texts.find((text) => text.trim() !== "");
  const fence = /^(?:`{3,}|~{3,})/.exec(first ?? "")?.[0];
  if (fence === undefined) return texts.length;
  const last = texts.findLastIndex((text) => text.trim() !== "");
  return texts[last]?.trim() === fence ? last : texts.length;
}

function unreadable(hunk: number, header: string, problem: string, line?: string): CairnError {
  const message = `Hunk ${hunk} (${header.slice(0, 100)}) cannot be read: ${problem}. Send a unified diff.`;
  return new CairnError("patch_failed", message, { hunk, header, expected: line === undefined ? [] : [line] });
}
