/** Which tool call a block belongs to, for blocks of any kind. */
import type { Block } from "../block/block.ts";
import { callIdIn } from "../block/call.ts";
import { kindOf } from "./kinds.ts";

export function callIdOf(block: Block): string | null {
  return callIdIn(block, kindOf(block.type).namesCall);
}
