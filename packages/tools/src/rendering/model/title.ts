/** The title of a document: from the caller, or a first-level heading at the beginning, which is then removed. */
import { type DocumentBlock, plainText, type RichDocument } from "./document.ts";

export function withTitle(document: RichDocument, title: string | null): RichDocument {
  const titled = takeTitle(document, title);
  return { ...titled, blocks: raiseHeadings(titled.blocks) };
}

/** Makes the highest heading level 1: content under a title often begins with level 2. */
function raiseHeadings(blocks: readonly DocumentBlock[]): readonly DocumentBlock[] {
  const levels = blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : []));
  const highest = levels.length === 0 ? 1 : Math.min(...levels.slice(0, MAX_LEVELS));
  if (highest === 1) return blocks;
  return blocks.map((block) =>
    block.kind === "heading" ? { ...block, level: Math.max(1, block.level - highest + 1) } : block,
  );
}

/** Maximum number of arguments that every engine accepts in a call. */
const MAX_LEVELS = 10_000;

function takeTitle(document: RichDocument, title: string | null): RichDocument {
  const [first, ...rest] = document.blocks;
  const opening = first?.kind === "heading" && first.level === 1 ? plainText(first.children).trim() : null;
  if (opening === null || opening === "") return { ...document, title: title ?? document.title };
  if (title !== null && fold(title) !== fold(opening)) return { ...document, title };
  return { ...document, title: title ?? opening, blocks: rest };
}

/** Whether blocks remain after a title was taken. */
export function hasContent(blocks: readonly DocumentBlock[]): boolean {
  return blocks.some((block) => block.kind !== "page-break" && block.kind !== "rule");
}

function fold(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}
