/** Scripts without a font: their letters would be empty boxes, so the reader gets a remark. */
import type { RichDocument } from "./document.ts";
import { allBlocks, allInlines } from "./walk.ts";

const UNSET = [
  "Bengali",
  "Ethiopic",
  "Gujarati",
  "Gurmukhi",
  "Javanese",
  "Kannada",
  "Khmer",
  "Malayalam",
  "Mongolian",
  "Myanmar",
  "Oriya",
  "Sinhala",
  "Syriac",
  "Tamil",
  "Telugu",
  "Thaana",
  "Tibetan",
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, "u") }));

/** Names the scripts for which no font is installed; null when every script has a font. */
export function unsetScripts(document: RichDocument): string | null {
  const found = new Set<string>();
  const look = (text: string) => {
    // No character below this range belongs to these scripts, so most texts need no further check.
    if (!/[^\u0000-\u0700]/.test(text)) return;
    for (const { name, pattern } of UNSET) if (pattern.test(text)) found.add(name);
  };
  look(document.title ?? "");
  for (const inline of allInlines(document)) if (inline.kind === "text" || inline.kind === "code") look(inline.text);
  for (const block of allBlocks(document)) if (block.kind === "code") look(block.text);
  if (found.size === 0) return null;
  return `No installed font has letters for ${[...found].join(", ")}, so they are printed as empty boxes. Use DOCX, which is displayed with the reader's own fonts.`;
}
