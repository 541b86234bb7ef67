/** `react.thinking`: reasoning of the model, which is not shown to it again. */
import { defineKind } from "./block-kind.ts";

export const reactThinking = defineKind({ type: "react.thinking", role: "thinking", view: () => [] });
