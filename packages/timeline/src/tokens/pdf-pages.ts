/**
 * The number of pages of a PDF, from what stands in it uncompressed.
 *
 * The root of the page tree says it in `/Count`. Page objects in clear are counted as a check, and the smaller figure
 * is taken: an edited file keeps replaced pages, and a forged count is not believed. Where both are packed in object
 * streams, a linearised file still says it in its first dictionary. Null when nothing tells.
 */
import { openBase64 } from "./base64-bytes.ts";

/** Bytes decoded at a time. */
const WINDOW = 3 * 1024 * 1024;
/** Carried from one window to the next, so that an object across the edge is seen whole. */
const OVERLAP = 4_096;
/** A page takes more bytes than this, even packed; a count beyond it is not believed. */
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
