/** The last line of a clipped block: how much of it is shown, and the call that reads the rest. */
import { isJsonObject } from "../base/json.ts";
import type { Block } from "../block/block.ts";
import { fileDigest } from "../block/digest.ts";
import { inline } from "../message/inline.ts";
import type { Entry } from "../state/entry.ts";
import { base64Size } from "../tokens/base64-bytes.ts";
import { READ_TOOL } from "../tool/named-tools.ts";

export const CLIP_MARK = "[CLIPPED] ";

export interface ClipExtent {
  /** Whether some of the text is not shown. */
  readonly isCut: boolean;
  /** Whether the block has a picture or document, which is not shown. */
  readonly binary: boolean;
  /** Whether the file is hidden because newer files use up the limit, and not because of its own size. */
  readonly isOverLimit: boolean;
  readonly shown: number;
  /** Number of lines of the text; null when line numbers do not apply to the content that reading the path returns. */
  readonly lines: number | null;
}

export function clipNote(entry: Entry, { isCut, binary, isOverLimit, shown, lines }: ClipExtent): string {
  const parts: string[] = [];
  if (isCut) parts.push(lines === null || isListOfRows(entry) ? beginning(entry) : lineRange(entry, shown, lines));
  if (binary) parts.push(isOverLimit ? left(entry) : undisplayed(entry));
  return `${CLIP_MARK}${parts.join(" ")}`;
}

function beginning({ path }: Entry): string {
  const rest = path === null ? "" : ` Read all of it with ${readCall(path)}`;
  return `Only the beginning is shown.${rest}`;
}

function lineRange({ block, path }: Entry, shown: number, lines: number): string {
  const { from, of } = placeInFile(block, lines);
  const next = from + shown;
  const extent = shown === 0 ? `None of ${of} lines is shown.` : `Lines ${from}-${next - 1} of ${of} are shown.`;
  return path === null ? extent : `${extent} Read on with ${readCall(path, { from: next, to: of })}`;
}

/** A read of pool rows returns their texts, while a search shows the rows as a list, so line numbers differ. */
function isListOfRows(entry: Entry): boolean {
  return entry.path?.startsWith("so:") === true && entry.traits.showsAgain !== true;
}

/** A block with a part of a longer text: `meta.lines` contains the number of its first line, and of all lines. */
function placeInFile(block: Block, lines: number): { readonly from: number; readonly of: number } {
  const place = block.meta?.lines;
  if (!isJsonObject(place)) return { from: 1, of: lines };
  const { from, of } = place;
  return isLine(from) && isLine(of) ? { from, of: Math.max(of, from + lines - 1) } : { from: 1, of: lines };
}

function isLine(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function undisplayed({ block, path }: Entry): string {
  return `${describeFile(block)}: too large to be shown.${path === null ? "" : ` Path: ${inline(path)}`}`;
}

function left({ block, path }: Entry): string {
  const again = path === null ? "" : ` See it again with ${readCall(path)}`;
  return `${describeFile(block)}: no longer shown, because the model takes a limited number and size of files.${again}`;
}

function describeFile(block: Block): string {
  const { mime = block.mime ?? "" } = fileDigest(block);
  const size = fileSize(block);
  return `${inline(mime)}${size === undefined ? "" : `, ${size} bytes`}`;
}

/** Bytes of a block's picture or document; undefined where the block does not say. */
export function fileSize(block: Block): number | undefined {
  return fileDigest(block).size_bytes ?? (block.base64 ? base64Size(block.base64) : undefined);
}

function readCall(path: string, lines?: { readonly from: number; readonly to: number }): string {
  return `${READ_TOOL} ${inline(JSON.stringify({ paths: [path], ...(lines === undefined ? {} : { lines }) }))}`;
}
