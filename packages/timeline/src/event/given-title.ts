/** Which of several given titles counts. The state, the views and the stores all use this rule. */
import type { EventBody } from "./event.ts";

/** Whether a given title counts for a conversation whose title is `current`. */
export function replacesTitle({ replaces }: EventBody<"title.given">, current: string | null): boolean {
  return replaces === undefined || replaces === current;
}
