/** Functions for the view that people see, which several block kinds share. */
import type { Block } from "../block/block.ts";
import { viewBinary } from "../message/binary-view.ts";
import { inline } from "../message/inline.ts";
import type { MessageBlock } from "../message/message.ts";
import { paragraph } from "../message/paragraph.ts";

/** A text, followed by the block's picture or document. */
export function viewWithBinary(body: string, block: Block): readonly MessageBlock[] {
  const text = paragraph(body);
  const binary = viewBinary(block);
  if (binary.length === 0) return text;
  return text.length === 0 ? binary : [...text, ...binary];
}

export function pathLine({ path }: { readonly path: string | null }): string {
  return path === null ? "" : `[path: ${inline(path)}]\n`;
}
