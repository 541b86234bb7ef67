/** `react.thinking`: readable reasoning of the model, for its user. The reasoning is not shown to the model again. */
import { callIdIn } from "../block/call.ts";
import { changeRound } from "../view/turn/view-round.ts";
import { defineKind } from "./block-kind.ts";

export const reactThinking = defineKind({
  type: "react.thinking",
  role: "thinking",
  view: () => [],
  addToTurn: (turn, { block }) => {
    const text = block.text ?? "";
    const callId = callIdIn(block, false);
    if (text === "") return turn;
    return callId === null ? { ...turn, thinking: text } : changeRound(turn, callId, () => ({ thinking: text }));
  },
});
