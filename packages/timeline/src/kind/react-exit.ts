/** `react.exit`: how a turn ended. The model does not see it. */
import { isJsonObject, parseJsonObject, textIn } from "../base/json.ts";
import { defineKind } from "./block-kind.ts";

export const reactExit = defineKind({
  type: "react.exit",
  view: () => [],
  closesCalls: true,
  group: () => "completion",
  addToTurn: (turn, { block }) => {
    const error = parseJsonObject(block.text)?.error;
    if (!isJsonObject(error)) return turn;
    return { ...turn, error: { code: textIn(error, "code"), message: textIn(error, "message") } };
  },
});
