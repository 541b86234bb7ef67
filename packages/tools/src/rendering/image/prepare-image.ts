/**
 * Checks a picture for use in a document: known format, known size, no external references.
 *
 * The header determines the decoded size, so it is read first: a few kilobytes may claim gigapixels.
 */
import { imageSize } from "image-size";
import { cleanSvg } from "./clean-svg.ts";

type ImageFormat = "png" | "jpg" | "gif" | "webp" | "svg";

export interface DrawableImage {
  readonly bytes: Uint8Array;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}

export type PreparedImage = DrawableImage | { readonly reason: string };

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_PIXELS = 50_000_000;
const MAX_SIDE_LENGTH = 20_000;
const FORMATS: ReadonlySet<string> = new Set(["png", "jpg", "gif", "webp", "svg"]);

export function isDrawable(image: PreparedImage | undefined): image is DrawableImage {
  return image !== undefined && "bytes" in image;
}

export function prepareImage(given: Uint8Array): PreparedImage {
  if (given.length === 0) return { reason: "it is empty" };
  if (given.length > MAX_BYTES) return { reason: `it has ${given.length} bytes; the limit is ${MAX_BYTES}` };
  const size = measure(given);
  if (typeof size === "string") return { reason: size };
  const { type, width, height } = size;
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE_LENGTH)
    return { reason: `it has ${width} × ${height} pixels, which is too many` };
  if (type !== "svg") return { bytes: given, format: type, width, height };
  const svg = cleanSvg(Buffer.from(given).toString("utf8"));
  return svg === null ? { reason: "its SVG cannot be read" } : { bytes: Buffer.from(svg), format: type, width, height };
}

function measure(bytes: Uint8Array): { type: ImageFormat; width: number; height: number } | string {
  try {
    const { width, height, type = "" } = imageSize(bytes);
    if (!isFormat(type))
      return `${type === "" ? "its format" : type.toUpperCase()} cannot be drawn; use PNG, JPEG, GIF, WebP or SVG`;
    if (!(width > 0 && height > 0)) return "it has no size";
    return { type, width, height };
  } catch {
    // The measuring library throws for unknown formats and truncated headers.
    return "it is damaged, or not a picture in a known format";
  }
}

function isFormat(type: string): type is ImageFormat {
  return FORMATS.has(type);
}
