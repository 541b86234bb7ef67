/** The picture or document of a block. Other bytes are not shown, because no model can read them. */
import { blobOf } from "../block/blob.ts";
import type { Block } from "../block/block.ts";
import { inline } from "./inline.ts";
import type { BinaryMessage } from "./message.ts";

const NOTHING: readonly BinaryMessage[] = [];

export function viewBinary(block: Block): readonly BinaryMessage[] {
  const { mime, base64 } = block;
  if (mime === undefined) return NOTHING;
  const type = binaryType(mime);
  if (type === null) return NOTHING;
  const media_type = inline(mime);
  if (base64) return [{ type, media_type, data: base64 }];
  const blob = blobOf(block);
  return blob === null ? NOTHING : [{ type, media_type, blob }];
}

/** Whether the block has content that a model can be shown: text, a picture or a PDF. */
export function isShowable(block: Block): boolean {
  return Boolean(block.text) || viewBinary(block).length > 0;
}

function binaryType(mime: string): BinaryMessage["type"] | null {
  if (/^image\//i.test(mime)) return "image";
  return /^application\/pdf\s*(?:;|$)/i.test(mime) ? "document" : null;
}
