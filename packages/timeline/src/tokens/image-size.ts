/**
 * The size of an image from its own header: PNG, JPEG, GIF, WebP, BMP and AVIF/HEIC. The first bytes tell the format,
 * because a media type may be wrong. The size of a truncated or malformed image is unknown.
 */
import { type Base64Bytes, openBase64 } from "./base64-bytes.ts";

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Maximum bytes searched for the frame header, far more than cameras write before it. Limits hostile files. */
const MAX_JPEG_SEGMENTS = 1_000;
/** Bytes read to find the meta box with the sizes, which is at the beginning. */
const HEIF_META_BYTES = 16_384;

export function imageSize(base64: string): ImageSize | null {
  const bytes = openBase64(base64);
  const head = bytes.read(0, 48);
  const size = headerSize(head, bytes);
  // Reading past the end gives NaN, which fails this test too.
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

function headerSize(head: string, bytes: Base64Bytes): ImageSize | null {
  if (head.startsWith("\x89PNG\r\n\x1a\n"))
    return head.slice(12, 16) === "IHDR" ? { width: bigEndian(head, 16, 4), height: bigEndian(head, 20, 4) } : null;
  if (head.startsWith("\xff\xd8")) return jpegSize(bytes);
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a"))
    return { width: littleEndian(head, 6, 2), height: littleEndian(head, 8, 2) };
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return webpSize(head);
  if (head.startsWith("BM")) return bmpSize(head);
  if (head.slice(4, 8) === "ftyp" && /^(?:avif|avis|heic|heix|mif1)/.test(head.slice(8, 12))) return heifSize(bytes);
  return null;
}

/** Walks the segments to the first frame header (SOF). */
function jpegSize(bytes: Base64Bytes): ImageSize | null {
  let at = 2;
  for (let segment = 0; segment < MAX_JPEG_SEGMENTS; segment++) {
    const head = bytes.read(at, at + 9);
    if (head.charCodeAt(0) !== 0xff) return null;
    const marker = head.charCodeAt(1);
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isFrameHeader(marker)) return { height: bigEndian(head, 5, 2), width: bigEndian(head, 7, 2) };
    else if (marker === 0xd9 || marker === 0xda) return null;
    else {
      const length = bigEndian(head, 2, 2);
      if (!(length >= 2)) return null;
      at += 2 + length;
    }
  }
  return null;
}

/** Markers from C0 to CF begin a frame, except those for tables and the reserved marker. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function webpSize(head: string): ImageSize | null {
  switch (head.slice(12, 16)) {
    case "VP8 ":
      if (head.slice(23, 26) !== "\x9d\x01\x2a") return null;
      return { width: littleEndian(head, 26, 2) & 0x3fff, height: littleEndian(head, 28, 2) & 0x3fff };
    case "VP8L": {
      if (head[20] !== "\x2f" || head.length < 25) return null;
      const bits = littleEndian(head, 21, 4);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { width: littleEndian(head, 24, 3) + 1, height: littleEndian(head, 27, 3) + 1 };
    default:
      return null;
  }
}

/** The size in a BMP header. The oldest form has 16-bit sizes; a negative height means rows from top to bottom. */
function bmpSize(head: string): ImageSize {
  if (littleEndian(head, 14, 4) === 12) return { width: littleEndian(head, 18, 2), height: littleEndian(head, 20, 2) };
  return { width: Math.abs(signed32(head, 18)), height: Math.abs(signed32(head, 22)) };
}

/** The largest of the listed sizes, because thumbnails and tiles have smaller ones. */
function heifSize(bytes: Base64Bytes): ImageSize | null {
  const meta = bytes.read(0, HEIF_META_BYTES);
  let largest: ImageSize | null = null;
  for (let at = meta.indexOf("ispe"); at !== -1; at = meta.indexOf("ispe", at + 4)) {
    const size = { width: bigEndian(meta, at + 8, 4), height: bigEndian(meta, at + 12, 4) };
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}

function bigEndian(bytes: string, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index++) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}

function littleEndian(bytes: string, at: number, count: number): number {
  let value = 0;
  for (let index = count - 1; index >= 0; index--) value = value * 256 + bytes.charCodeAt(at + index);
  return value;
}

function signed32(bytes: string, at: number): number {
  const value = littleEndian(bytes, at, 4);
  return value >= 2 ** 31 ? value - 2 ** 32 : value;
}
