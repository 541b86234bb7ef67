/**
 * The cost of a block in tokens: its text by the tokenizer, plus its binary part by its dimensions.
 *
 * A block has a binary part if it has inline `base64`, or if it has no text and either a binary media type or a
 * `meta.blob`. Its size comes from `meta.width` and `meta.height`, or from `meta.pages`, or else from the bytes. If meta
 * contains the size, a block costs the same with and without its bytes. A binary part never costs 0, and its cost never
 * depends on the length of the base64. Bytes that are neither an image nor a PDF are not sent to a model and cost 1.
 */
import type { CountTokens } from "../base/ports.ts";
import type { Block } from "../block/block.ts";
import { imageTokens, MAX_IMAGE_TOKENS, pdfTokens } from "./binary-cost.ts";
import { imageSize } from "./image-size.ts";
import { countPdfPages } from "./pdf-pages.ts";

export function estimateBlock(block: Block, countText: CountTokens): number {
  const text = typeof block.text === "string" ? block.text : "";
  const tokens = text === "" ? 0 : countText(text);
  return hasBinary(block, text) ? tokens + binaryTokens(block) : tokens;
}

function hasBinary(block: Block, text: string): boolean {
  if (typeof block.base64 === "string" && block.base64 !== "") return true;
  if (text !== "") return false;
  return isBinaryMime(mimeOf(block)) || (block.meta?.blob !== undefined && block.meta.blob !== null);
}

export function binaryTokens(block: Block): number {
  const mime = mimeOf(block);
  const bytes = typeof block.base64 === "string" ? block.base64 : "";
  if (mime.startsWith("image/")) {
    const { width, height } = block.meta ?? {};
    if (isSize(width) && isSize(height)) return imageTokens(width, height);
    const size = imageSize(bytes);
    return size === null ? MAX_IMAGE_TOKENS : imageTokens(size.width, size.height);
  }
  if (mime === "application/pdf") {
    const pages = block.meta?.pages;
    return pdfTokens(isSize(pages) ? pages : (countPdfPages(bytes) ?? 1));
  }
  return 1;
}

function mimeOf(block: Block): string {
  const mime = typeof block.mime === "string" ? block.mime : "";
  return mime.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Media types with text content although they do not begin with `text/`. */
const TEXT_APPLICATION = /^application\/(?:json|jsonl|x-ndjson|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh)$/;

function isBinaryMime(mime: string): boolean {
  if (/^(?:image|audio|video|font)\//.test(mime)) return true;
  return mime.startsWith("application/") && !TEXT_APPLICATION.test(mime) && !/\+(?:json|xml|yaml)$/.test(mime);
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
