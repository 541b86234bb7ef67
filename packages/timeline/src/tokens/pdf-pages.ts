/**
 * The number of pages of a PDF, from its uncompressed parts.
 *
 * The root of the page tree has the number in `/Count`. Uncompressed page objects are counted as a check, and the
 * smaller number is used: an edited file still contains replaced pages, and a forged count must not be trusted. If the
 * root and the page objects are compressed in object streams, the first dictionary of a linearised file still has the
 * number. Null when it cannot be found.
 */
import { openBase64 } from "./base64-bytes.ts";

/** Number of bytes that are decoded at a time. */
const WINDOW = 3 * 1024 * 1024;
/** Number of bytes that two windows share, so that an object across their boundary is seen whole. */
const OVERLAP = 4_096;
/** Minimum bytes per page, even compressed; a higher count is not trusted. */
const BYTES_PER_PAGE = 8;

export function countPdfPages(base64: string): number | null {
  const bytes = openBase64(base64);
  let objects = 0;
  let count = 0;
  let rest = "";
  for (let start = 0; start < bytes.length; start += WINDOW) {
    const text = rest + bytes.read(start, start + WINDOW);
    const last = start + WINDOW >= bytes.length;
    if (start === 0) count = linearizedPages(text);
    const complete = last ? text.length : Math.max(text.lastIndexOf("endobj"), text.length - OVERLAP);
    for (const object of text.slice(0, complete).split("endobj")) {
      objects += object.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
      if (/\/Type\s*\/Pages(?![A-Za-z])/.test(object)) count = Math.max(count, pageTreeCount(object));
    }
    rest = text.slice(complete);
  }
  if (objects > 0) return count > 0 ? Math.min(count, objects) : objects;
  return count > 0 && count <= bytes.length / BYTES_PER_PAGE ? count : null;
}

function pageTreeCount(object: string): number {
  return Number(/\/Count\s+(\d{1,9})(?!\d)/.exec(object)?.[1] ?? 0);
}

function linearizedPages(text: string): number {
  const first = text.slice(0, 2_048).split("endobj", 1)[0] ?? "";
  return first.includes("/Linearized") ? Number(/\/N\s+(\d{1,9})(?!\d)/.exec(first)?.[1] ?? 0) : 0;
}
