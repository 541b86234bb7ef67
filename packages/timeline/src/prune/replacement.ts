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
import { base64Size } from "../tokens/base64-bytes.ts";
import type { SessionSettings } from "./settings.ts";
import { shortenText, shortenToFit } from "./shorten.ts";

const ROW_TEXT_CHARS = 400;

/** Block types that are never pruned: the frame of a turn, summaries, and the agent's own notes. */
const KEPT_TYPES = new Set(["turn.header", "conv.range.summary", "react.note"]);

/** The replacement of a block, or null when the block stays as it is. */
export function replacementFor(entry: Entry, limits: SessionSettings): string | null {
  const { block } = entry;
  if (KEPT_TYPES.has(block.type)) return null;
  if (isBinary(block))
    return binaryChars(block) > limits.cache_truncation_max_base64_chars ? truncatedFile(block) : null;
  const text = block.text ?? "";
  const most = limits.cache_truncation_max_text_chars;
  if (block.path?.startsWith("fi:")) return text.length > most ? truncatedFile(block) : null;
  if (block.type === "react.tool.call" || block.type === "react.tool.result") {
    const value = parseJson(text);
    if (value !== undefined) {
      const shortened = shortenResult(entry, value, limits);
      return shortened === null ? null : truncated(block, shortened);
    }
  }
  return text.length > most ? truncated(block, text, most) : null;
}

/** The JSON of a call or result, shortened; null when it is short already. */
function shortenResult(entry: Entry, value: Json, limits: SessionSettings): string | null {
  const most = limits.cache_truncation_max_text_chars;
  const plain = JSON.stringify(value);
  const isRows =
    Array.isArray(value) && (entry.path?.startsWith("so:") === true || entry.tool === "web_tools.web_search");
  const shortened = isRows ? shortenRows(value, limits) : shortenToFit(value, limits, most);
  return shortened === plain ? null : shortened;
}

/** Search rows by SID, address, title and the beginning of their text. */
function shortenRows(rows: readonly Json[], limits: SessionSettings): string {
  const listed = rows.filter(isJsonObject).slice(0, limits.cache_truncation_max_list_items);
  return JSON.stringify(listed.map(shortenRow));
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
  const size = digest.size_bytes ?? (block.base64 ? base64Size(block.base64) : utf8Bytes(block.text ?? ""));
  return `[TRUNCATED FILE] path=${path} mime=${digest.mime ?? block.mime ?? "unknown"} size=${size}`;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The path and as much of the body as fits into `most` characters with it. */
function truncated(block: Block, body: string, most = Number.POSITIVE_INFINITY): string {
  const header = `[TRUNCATED] ${block.path === undefined ? "" : `${canonicalPath(block.path) ?? block.path}\n`}`;
  return `${header}${shortenText(body, Math.max(0, most - header.length))}`;
}
