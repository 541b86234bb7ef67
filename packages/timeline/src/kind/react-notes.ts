/** `react.notes`: what the agent tells the user with a decision, before the first call of the decision. */
import { paragraph } from "../message/paragraph.ts";
import { changeRoundOf } from "../view/turn/view-round.ts";
import { defineKind } from "./block-kind.ts";

export const reactNotes = defineKind({
  type: "react.notes",
  role: "notes",
  header: "[AI Agent say]",
  view: (_, text, rules) => paragraph(`[AI Agent say]: ${rules.continuation(text)}`),
  isOfDecision: true,
  addToTurn: (turn, { block }, sources_known) =>
    changeRoundOf(turn, block, ({ notes }) => ({
      notes: notes === null ? (block.text ?? "") : `${notes}\n${block.text ?? ""}`,
      sources_known,
    })),
  search: { code: 3, isMessage: false },
});
