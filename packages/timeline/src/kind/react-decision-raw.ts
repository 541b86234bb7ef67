/** `react.decision.raw`: an answer of the model that could not be read. The tail shows the last such answer. */
import { defineKind } from "./block-kind.ts";

export const reactDecisionRaw = defineKind({
  type: "react.decision.raw",
  role: "raw_decision",
  view: () => [],
  isInternal: () => true,
});
