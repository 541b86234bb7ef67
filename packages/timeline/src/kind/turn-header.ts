/** `turn.header`: the first block of a turn. */
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { defineKind } from "./block-kind.ts";

export const turnHeader = defineKind({
  type: "turn.header",
  role: "turn",
  header: "[TURN ",
  headerNeedsBlank: true,
  content: () => null,
  view: ({ block }) => {
    const ts = block.ts === undefined ? "" : ` ts=${inline(block.ts)}`;
    return paragraph(`[TURN ${inline(block.turn_id ?? "")}]${ts}`);
  },
  isFrame: true,
  closesCalls: true,
  group: () => "opening",
  pruning: "keep",
  allowsCut: true,
});
