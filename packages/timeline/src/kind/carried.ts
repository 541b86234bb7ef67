/** Types that programs write and the engine only carries: shown as plain text, without a header. */
import { defineKind } from "./block-kind.ts";

const TYPES = [
  ...["stage.gate", "stage.coordinator", "stage.feedback", "stage.clarification", "stage.clarification.resolved"],
  ...["agent.log.header", "react.plan.ack"],
];

export const carriedKinds = TYPES.map((type) => defineKind({ type }));
