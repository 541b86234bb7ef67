/**
 * Applies the input of `react.patch`: a unified diff is applied to the text, anything else replaces it.
 *
 * All or nothing: when one hunk does not match, `patch_failed` names it and nothing is changed. Hunks are applied in
 * order and never overlap; the offset of one hunk is expected for the next. A hunk without old lines is placed by its
 * line number alone, or at the end of a shorter file.
 *
 * Line ends: context lines keep the text and the ends that they have in the file. Added lines take the ends of their
 * neighbours in the file, so an LF patch fits a CRLF file and the reverse; if the patch itself has both kinds of line
 * ends, added lines keep their own. The end of the last line changes only when the patch says so: with `\ No newline at
 * end of file` on one side and not on the other. A diff without these marks leaves this end as it is in the file.
 */
import { CairnError } from "../base/error.ts";
import { type LocateHunk, makeLocator, type Placement } from "./locate-hunk.ts";
import { type Hunk, type HunkLine, parseHunks } from "./parse-patch.ts";
import { joinLines, splitLines, type TextLines } from "./text-lines.ts";

/**
 * @example
 * applyPatch("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"); // "a\nc\n"
 */
export function applyPatch(text: string, patch: string): string {
  if (typeof text !== "string" || typeof patch !== "string")
    throw new CairnError("bad_input", "A patch and the text it applies to must both be strings.");
  const hunks = parseHunks(patch);
  if (hunks === null) return patch;

  const file = splitLines(text);
  const locate = makeLocator(file.texts);
  const literal = mixesLineEnds(hunks);
  const patched: TextLines = { texts: [], ends: [] };
  let cursor = 0;
  let drift = 0;
  let last: readonly HunkLine[] = [];
  for (const hunk of hunks) {
    const expected = hunk.start === null ? cursor : hunk.start + drift;
    const place = placeHunk(locate, hunk, file.texts, cursor, expected);
    copyLines(file, cursor, place.start, patched);
    cursor = writeHunk(file, place, literal, patched);
    if (hunk.start !== null && place.lines.some((line) => line.kind !== "added"))
      drift = place.start - place.skipped - hunk.start;
    last = place.lines;
  }
  const reachesEnd = cursor === file.texts.length;
  copyLines(file, cursor, file.texts.length, patched);
  closeLines(patched, file);
  if (reachesEnd) endLastLine(patched, file, last);
  return joinLines(patched);
}

function placeHunk(
  locate: LocateHunk,
  hunk: Hunk,
  file: readonly string[],
  cursor: number,
  expected: number,
): Placement {
  const place = locate(hunk.lines, cursor, expected);
  if (place !== null) return place;
  const old = hunk.lines.filter((line) => line.kind !== "added").map((line) => line.text);
  const at = Math.min(Math.max(expected, cursor), file.length);
  const differing = old.findIndex((line, index) => line !== file[at + index]);
  const first = Math.max(0, differing);
  const found = file[at + first];
  throw new CairnError(
    "patch_failed",
    `Hunk ${hunk.number} (${shorten(hunk.header)}) does not fit: line ${at + first + 1} is expected to be ` +
      `${quote(old[first] ?? "")} but ${found === undefined ? "the file ends before it" : `is ${quote(found)}`}` +
      `${cursor > 0 ? `, and no other place after line ${cursor} matches` : ", and no other place matches"}. ` +
      "Nothing was changed. Read the file again and send a patch against its present text.",
    { hunk: hunk.number, header: hunk.header, expected: old.slice(first, first + 3) },
  );
}

function copyLines(from: TextLines, start: number, end: number, to: TextLines): void {
  for (let index = start; index < end; index++) {
    to.texts.push(from.texts[index] ?? "");
    to.ends.push(from.ends[index] ?? "");
  }
}

/** Writes a placed hunk and returns the index of the file's next line. */
function writeHunk(file: TextLines, place: Placement, literal: boolean, patched: TextLines): number {
  let position = place.start;
  for (const line of place.lines) {
    if (line.kind === "added") {
      const neighbour = file.ends[Math.max(0, position - 1)] || file.ends[0];
      const own = line.end || "\n";
      patched.texts.push(line.text);
      patched.ends.push(literal ? own : neighbour || own);
    } else {
      if (line.kind === "context") copyLines(file, position, position + 1, patched);
      position++;
    }
  }
  return position;
}

/** Whether the patch has both line ends. The end of a line before `\ No newline…` does not count. */
function mixesLineEnds(hunks: readonly Hunk[]): boolean {
  const ends = new Set<string>();
  for (const hunk of hunks) for (const line of hunk.lines) if (!line.unended && line.end !== "") ends.add(line.end);
  return ends.size > 1;
}

/** Adds a line end to a line that was the last of the file and no longer is. */
function closeLines(patched: TextLines, file: TextLines): void {
  for (let index = 0; index < patched.ends.length - 1; index++)
    if (patched.ends[index] === "") patched.ends[index] = file.ends[0] || patched.ends[index + 1] || "\n";
}

function endLastLine(patched: TextLines, file: TextLines, hunk: readonly HunkLine[]): void {
  const index = patched.ends.length - 1;
  if (index < 0) return;
  const oldUnended = hunk.findLast((line) => line.kind !== "added")?.unended ?? false;
  const newUnended = hunk.findLast((line) => line.kind !== "removed")?.unended ?? false;
  const asFile = file.ends.length === 0 ? newUnended : file.ends.at(-1) === "";
  const unended = oldUnended === newUnended ? asFile : newUnended;
  if (unended) patched.ends[index] = "";
  else patched.ends[index] ||= file.ends[0] || "\n";
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function quote(line: string): string {
  return JSON.stringify(shorten(line));
}
