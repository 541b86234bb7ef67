/**
 * What stands in place of a pruned block: enough to know what it was and, by its path, how to get it back.
 *
 * Text keeps its beginning, a file its description, tool calls and results their JSON with shortened fields, search
 * rows their SID, address, title and 400 characters. A block that is short already has no replacement and stays.
 */
import type { Block } from "../block/block.ts";
import { fileDigest } from "../block/digest.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../json.ts";
import { canonicalPath } from "../path/resolve.ts";
import type { Entry } from "../state/entry.ts";
import type { SessionSettings } from "./settings.ts";
import { shortenJson, shortenText } from "./shorten.ts";

const ROW_TEXT_CHARS = 400;

/** Block types that are never pruned: the frame of a turn, summaries, and the agent's own notes. */
const KEPT_TYPES = new Set(["turn.header", "conv.range.summary", "react.note"]);

/** The replacement of a block, or null when the block stays as it is. */
export function replacementFor(entry: Entry, limits: SessionSettings): string | null {
  const replacement = shortForm(entry, limits);
  const { text, base64 } = entry.block;
  // A replacement that is no shorter than what it replaces only breaks the cache.
  return replacement !== null && !base64 && text !== undefined && replacement.length >= text.length
    ? null
    : replacement;
}

function shortForm(entry: Entry, limits: SessionSettings): string | null {
  const { block } = entry;
  if (KEPT_TYPES.has(block.type)) return null;
  if (isBinary(block))
    return binaryChars(block) > limits.cache_truncation_max_base64_chars ? truncatedFile(block) : null;
  const text = block.text ?? "";
  const most = limits.cache_truncation_max_text_chars;
  if (block.path?.startsWith("fi:")) return text.length > most ? truncatedFile(block) : null;
  if (block.type === "react.tool.call" || block.type === "react.tool.result") {
    const shortened = shortenResult(entry, limits);
    if (shortened !== null) return shortened === text ? null : truncated(block, shortenText(shortened, most));
  }
  return text.length > most ? truncated(block, shortenText(text, most)) : null;
}

/** The JSON of a call or result with its fields shortened; null when the block holds no JSON. */
function shortenResult(entry: Entry, limits: SessionSettings): string | null {
  const { block } = entry;
  const value = parseJson(block.text);
  if (value === undefined) return null;
  if (block.path?.startsWith("so:") && Array.isArray(value)) return shortenRows(value, block.text ?? "", limits);
  const shortened = JSON.stringify(shortenJson(value, limits));
  // Spelled differently but not shortened: the block stays.
  return shortened === JSON.stringify(value) ? (block.text ?? "") : shortened;
}

function shortenRows(rows: readonly Json[], text: string, limits: SessionSettings): string {
  const short = rows.filter(isJsonObject).map(shortenRow).slice(0, limits.cache_truncation_max_list_items);
  const shortened = JSON.stringify(short);
  return shortened.length < text.length ? shortened : text;
}

function shortenRow(row: JsonObject): JsonObject {
  const { sid, url, title, text, content } = row;
  const words = typeof text === "string" ? text : typeof content === "string" ? content : undefined;
  return {
    ...(sid === undefined ? {} : { sid }),
    ...(url === undefined ? {} : { url }),
    ...(title === undefined ? {} : { title }),
    ...(words === undefined ? {} : { text: shortenText(words, ROW_TEXT_CHARS) }),
  };
}

/** Whether a block carries a picture, a PDF or other bytes, inline or by reference. */
export function isBinary(block: Block): boolean {
  return Boolean(block.base64) || (block.meta?.blob !== undefined && !block.text);
}

/** Base64 characters of a block's bytes, as many as they would be if they are elsewhere. */
export function binaryChars(block: Block): number {
  if (block.base64) return block.base64.length;
  const size = fileDigest(block).size_bytes;
  return size === undefined ? Number.POSITIVE_INFINITY : Math.ceil(size / 3) * 4;
}

export function truncatedFile(block: Block): string {
  const digest = fileDigest(block);
  const path = block.path === undefined ? "" : (canonicalPath(block.path) ?? block.path);
  const size =
    digest.size_bytes ?? (block.base64 ? Math.floor((block.base64.length * 3) / 4) : (block.text?.length ?? 0));
  return `[TRUNCATED FILE] path=${path} mime=${block.mime ?? digest.mime ?? "unknown"} size=${size}`;
}

function truncated(block: Block, body: string): string {
  const path = block.path === undefined ? "" : `${canonicalPath(block.path) ?? block.path}\n`;
  return `[TRUNCATED] ${path}${body}`;
}
