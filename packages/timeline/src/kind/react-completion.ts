/** `react.completion`: the end of the agent's work on a turn, in journals of older programs. */
import { defineKind } from "./block-kind.ts";

export const reactCompletion = defineKind({ type: "react.completion", closesCalls: true });
