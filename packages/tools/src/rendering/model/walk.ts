/** Every inline and every block of a document, footnotes included, in reading order. */
import type { DocumentBlock, Inline, RichDocument } from "./document.ts";

export function* allBlocks(document: Pick<RichDocument, "blocks" | "footnotes">): Generator<DocumentBlock> {
  yield* blocksIn(document.blocks);
  for (const footnote of document.footnotes) yield* blocksIn(footnote);
}

function* blocksIn(blocks: readonly DocumentBlock[]): Generator<DocumentBlock> {
  for (const block of blocks) {
    yield block;
    if (block.kind === "quote") yield* blocksIn(block.blocks);
    if (block.kind === "list") for (const item of block.items) yield* blocksIn(item.blocks);
  }
}

export function* allInlines(document: Pick<RichDocument, "blocks" | "footnotes">): Generator<Inline> {
  for (const block of allBlocks(document)) yield* inlinesOf(block);
}

function* inlinesOf(block: DocumentBlock): Generator<Inline> {
  if (block.kind === "heading" || block.kind === "paragraph") yield* inlinesIn(block.children);
  if (block.kind === "table")
    for (const row of [block.header, ...block.rows]) for (const cell of row) yield* inlinesIn(cell);
}

function* inlinesIn(inlines: readonly Inline[]): Generator<Inline> {
  for (const inline of inlines) {
    yield inline;
    if ("children" in inline) yield* inlinesIn(inline.children);
  }
}
