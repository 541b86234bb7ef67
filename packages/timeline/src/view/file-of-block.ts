/** The file that a block of any kind contains or describes. */
import type { Block } from "../block/block.ts";
import { kindOf } from "../kind/kinds.ts";
import type { FileView } from "./turn/turn-view.ts";
import { viewFile } from "./turn/view-file.ts";

/** `path`: the canonical path of the file. Null if there is no file or it is internal. */
export function fileOfBlock(block: Block, path: string, version: number, sourcesKnown: number): FileView | null {
  return viewFile(kindOf(block.type), block, path, version, sourcesKnown);
}
