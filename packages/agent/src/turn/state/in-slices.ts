/** Runs work of the timeline in short slices, so that the process serves other conversations between them. */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Steps } from "@cairn/timeline";

export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToOthers();
  }
}
