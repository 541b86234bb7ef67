/** Decodes character references in a text that is not parsed as HTML. */
import { parsePage } from "../../html/dom.ts";

const REFERENCE = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi;
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

export function decodeEntities(text: string): string {
  return text.includes("&") ? text.replace(REFERENCE, decode) : text;
}

function decode(reference: string): string {
  const found = known.get(reference);
  if (found !== undefined) return found;
  const decoded = parsePage(`<p>${reference}</p>`).querySelector("p")?.textContent ?? reference;
  if (known.size < MAX_KNOWN) known.set(reference, decoded);
  return decoded;
}
