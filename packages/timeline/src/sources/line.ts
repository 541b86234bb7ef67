/**
 * One row of the pool as the model sees it: `[S:<sid>] <place>  |  "<label>"  |  ~<tokens> tok`, and a mark where there
 * is no text to show.
 *
 * - Place: the domain of a web row (else its URL's host), the logical path of a file. Hosting fields are never used,
 *   nor is a file's URL, which may be where it is hosted.
 * - Label: the title, else the text, else the URL or the file's name; at most 60 code points, white space and control
 *   characters as single spaces, so that no field can start a line of its own. Quotes are left as they are.
 * - Tokens: `floor(size_bytes / 4)` for binary rows and for rows without text whose size is known; otherwise an
 *   estimate of
 *   `text`, or of `content` when there is no `text`.
 * - Mark: `<base64>` for images and PDFs, `<text>` for any other row without text.
 */
import type { CountTokens } from "../base/ports.ts";
import { canonicalPath } from "../path/resolve.ts";
import { isBinary } from "./eligible.ts";
import { type SourceRow, textField } from "./row.ts";

const LABEL_CHARACTERS = 60;
/** Maximum length of a domain, the longest that DNS allows. */
const DOMAIN_CHARACTERS = 253;

export function renderRow(row: SourceRow, countTokens: CountTokens): string {
  const text = textField(row, "text") ?? textField(row, "content");
  const binary = isBinary(row.mime);
  const size = binary || text === undefined ? knownSize(row) : undefined;
  const tokens = size === undefined ? countTokens(text ?? "") : Math.floor(size / 4);
  const mark = binary ? "  |  <base64>" : text === undefined ? "  |  <text>" : "";
  return `[S:${row.sid}] ${placeOf(row)}  |  "${labelOf(row, text)}"  |  ~${tokens} tok${mark}`;
}

function placeOf(row: SourceRow): string {
  const path = pathOf(row);
  if (path !== undefined && !isWeb(row)) return oneLine(path);
  const domain = isLocal(row) ? undefined : (textField(row, "domain") ?? hostOf(textField(row, "url")));
  const shown = firstCharacters(domain ?? "", DOMAIN_CHARACTERS);
  if (shown !== "") return shown;
  return oneLine(path ?? textField(row, "source_type") ?? "unknown");
}

function labelOf(row: SourceRow, text: string | undefined): string {
  const path = pathOf(row);
  const fallbacks = [
    textField(row, "title"),
    text,
    isLocal(row) ? undefined : textField(row, "url"),
    path?.slice(path.lastIndexOf("/") + 1),
  ];
  for (const candidate of fallbacks) {
    const label = candidate === undefined ? "" : firstCharacters(candidate, LABEL_CHARACTERS);
    if (label !== "") return label;
  }
  return "";
}

function isWeb(row: SourceRow): boolean {
  return row.source_type === "web" || row.source_type === "manual";
}

function isLocal(row: SourceRow): boolean {
  return row.source_type === "file" || row.source_type === "attachment";
}

/** The logical path of a file, derived from its physical path if only that was stored. */
function pathOf(row: SourceRow): string | undefined {
  const path = textField(row, "artifact_path") ?? textField(row, "physical_path");
  return path === undefined ? undefined : (canonicalPath(path) ?? path);
}

function hostOf(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  const host = URL.parse(url)?.hostname;
  return host === undefined || host === "" ? url : host;
}

function knownSize(row: SourceRow): number | undefined {
  const size = row.size_bytes;
  return typeof size === "number" && Number.isFinite(size) && size >= 0 ? size : undefined;
}

/** One line: line breaks and control characters become spaces. Runs of spaces stay, because a path may contain them. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
}

const BLANK = /[\s\u0000-\u001f\u007f-\u009f]/;

/** The first characters with blanks collapsed. Reads no more of the text than necessary. */
function firstCharacters(text: string, limit: number): string {
  let result = "";
  let count = 0;
  let gap = false;
  for (const character of text) {
    if (BLANK.test(character)) {
      gap = count > 0;
      continue;
    }
    if (gap && count + 1 >= limit) break;
    if (gap) {
      result += " ";
      count++;
      gap = false;
    }
    result += character;
    if (++count >= limit) break;
  }
  return result;
}
