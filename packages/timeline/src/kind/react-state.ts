/** `react.state`: what the runtime remembers between two requests. The model does not see it. */
import { defineKind } from "./block-kind.ts";

export const reactState = defineKind({
  type: "react.state",
  view: () => [],
  group: () => "completion",
  isInternal: () => true,
});
