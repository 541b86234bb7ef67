/**
 * The text shown in place of a pruned block: what it was, and its path to read it back.
 *
 * Text keeps its beginning, a file its description, tool calls and results their JSON with shortened fields, search
 * rows their SID, address, title and 400 characters. A block that is short already has no replacement and stays.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { fileDigest } from "../block/digest.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { Entry } from "../state/entry.ts";
import { base64Size } from "../tokens/base64-bytes.ts";
import { READ_TOOL } from "../tool/named-tools.ts";
import type { SessionSettings } from "./settings.ts";
import { shortenText, shortenToFit } from "./shorten.ts";

/** Characters of a search row's text that pruning by age keeps. */
const ROW_TEXT_CHARS = 400;

export interface ReplacementOptions {
  /** Characters of a search row's text that are kept. */
  readonly rowTextChars?: number;
  /** Sources whose rows and pages are not shortened. */
  readonly kept?: ReadonlySet<number>;
  /** Whether the replacement says how to restore the block. */
  readonly saysHow?: boolean;
}

/** The replacement of a block, or null when the block stays as it is. */
export function replacementFor(entry: Entry, limits: SessionSettings, options: ReplacementOptions = {}): string | null {
  const { block, kind } = entry;
  const how = options.saysHow === true ? `Restore with ${READ_TOOL}` : null;
  if (kind.pruning === "keep") return null;
  if (isBinary(block)) {
    if (binaryChars(block) <= limits.cache_truncation_max_base64_chars) return null;
    return how === null ? truncatedFile(block) : `${truncatedFile(block)} ${how}`;
  }
  const text = block.text ?? "";
  const most = limits.cache_truncation_max_text_chars;
  if (block.path?.startsWith("fi:")) return text.length > most ? truncatedFile(block) : null;
  if (kind.pruning === "json") {
    const value = parseJson(text);
    if (value !== undefined) {
      const shortened = shortenResult(entry, value, limits, options);
      return shortened === null ? null : truncated(block, shortened, how);
    }
  }
  return text.length > most ? truncated(block, text, how, most) : null;
}

/** Whether each source is a separate row or page in a result, so that it can be kept while others are removed. */
export function namesApart(entry: Entry, sources: ReadonlySet<number>): boolean {
  const value = parseJson(entry.block.text ?? "");
  const parts = isRows(entry, value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return [...sources].every((source) => parts.some((part) => isJsonObject(part) && part.sid === source));
}

/** The JSON of a call or result, shortened; null when it is short already. */
function shortenResult(
  entry: Entry,
  value: Json,
  limits: SessionSettings,
  { rowTextChars = ROW_TEXT_CHARS, kept = new Set() }: ReplacementOptions,
): string | null {
  const isKept = (part: Json | undefined) =>
    kept.size > 0 && isJsonObject(part) && typeof part.sid === "number" && kept.has(part.sid);
  const shortened = isRows(entry, value)
    ? shortenRows(value, limits, rowTextChars, isKept)
    : isJsonObject(value) && Object.values(value).some(isKept)
      ? shortenPages(value, limits, isKept)
      : shortenToFit(value, limits, limits.cache_truncation_max_text_chars);
  return shortened === JSON.stringify(value) ? null : shortened;
}

function isRows(entry: Entry, value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value) && (entry.path?.startsWith("so:") === true || entry.traits.rows === true);
}

type IsKept = (part: Json | undefined) => boolean;

/** Search rows by SID, address, title and the beginning of their text. */
function shortenRows(rows: readonly Json[], limits: SessionSettings, textChars: number, isKept: IsKept): string {
  const listed = rows
    .filter(isJsonObject)
    .filter((row, index) => index < limits.cache_truncation_max_list_items || isKept(row));
  return JSON.stringify(listed.map((row) => (isKept(row) ? row : shortenRow(row, textChars))));
}

/** Shortens fetched pages to their address, except those that are kept. */
function shortenPages(pages: JsonObject, limits: SessionSettings, isKept: IsKept): string {
  const shorten = (page: Json) =>
    JSON.parse(shortenToFit(page, limits, limits.cache_truncation_max_text_chars)) as Json;
  const entries = Object.entries(pages).map(([url, page = null]) => [url, isKept(page) ? page : shorten(page)]);
  return JSON.stringify(Object.fromEntries(entries));
}

function shortenRow(row: JsonObject, textChars: number): JsonObject {
  const { sid, url, title, text, content } = row;
  const words = typeof text === "string" ? text : typeof content === "string" ? content : undefined;
  return {
    ...(sid === undefined ? {} : { sid }),
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(words === undefined ? {} : { text: shortenText(words, textChars) }),
  };
}

/** Whether a block carries a picture, a PDF or other bytes, inline or by reference. */
export function isBinary(block: Block): boolean {
  return Boolean(block.base64) || (block.meta?.blob !== undefined && !block.text);
}

/** Number of base64 characters of a block's bytes, also when the bytes are stored elsewhere. */
export function binaryChars(block: Block): number {
  if (block.base64) return block.base64.length;
  const size = fileDigest(block).size_bytes;
  return size === undefined ? Number.POSITIVE_INFINITY : Math.ceil(size / 3) * 4;
}

export function truncatedFile(block: Block): string {
  const digest = fileDigest(block);
  const path = block.path === undefined ? "" : (canonicalPath(block.path) ?? block.path);
  const size = digest.size_bytes ?? (block.base64 ? base64Size(block.base64) : utf8Bytes(block.text ?? ""));
  return `[TRUNCATED FILE] path=${path} mime=${digest.mime ?? block.mime ?? "unknown"} size=${size}`;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The path, instructions to restore it if wanted, and as much of the body as fits into `most` characters in all. */
function truncated(block: Block, body: string, how: string | null, most = Number.POSITIVE_INFINITY): string {
  const path = block.path === undefined ? null : (canonicalPath(block.path) ?? block.path);
  const header = `[TRUNCATED] ${path === null ? "" : `${how === null ? path : `${how}(${path})`}\n`}`;
  return `${header}${shortenText(body, Math.max(0, most - header.length))}`;
}
