/** `react.tool.code`: the program of a call, before the call. */
import { inline } from "../message/inline.ts";
import { paragraph } from "../message/paragraph.ts";
import { changeRoundOf } from "../view/turn/view-round.ts";
import { defineKind } from "./block-kind.ts";

export const reactToolCode = defineKind({
  type: "react.tool.code",
  role: "code",
  header: "[AI Agent wrote code]",
  view: ({ path }, text, rules) => paragraph(`[AI Agent wrote code] ${inline(path ?? "")}:\n${rules.payload(text)}`),
  isOfDecision: true,
  addToTurn: (turn, { block }) => changeRoundOf(turn, block, () => ({ code: block.text ?? "" })),
});
