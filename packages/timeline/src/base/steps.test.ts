import { expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { finishMaintenance, maintain, maintainInSteps } from "../maintain.ts";
import { Timeline } from "../timeline.ts";
import type { Steps } from "./steps.ts";

const deps = { clock: { now: () => 1_770_603_272_000 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const blocks = Array.from({ length: 8 }, (_, nth): Block => {
  const turn_id = `turn_${Math.floor(nth / 2)}`;
  return { type: "user.prompt", turn_id, path: `ar:${turn_id}.p${nth}`, text: "Always use euros. ".repeat(60_000) };
});
const budget = { maxTokens: 20_000 };

function large(): Timeline {
  const timeline = Timeline.create(deps);
  timeline.contribute(blocks);
  return Timeline.fromEvents(timeline.takeEvents(), deps);
}

function count<T>(steps: Steps<T>): { readonly pauses: number; readonly value: T } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { pauses, value: step.value };
  }
}

it("rendering and maintenance pause after each large block, and give the same result as without a pause", () => {
  const [sliced, whole] = [large(), large()];
  expect(count(sliced.renderInSteps()).pauses).toBeGreaterThanOrEqual(blocks.length);
  const { pauses, value } = count(maintainInSteps(sliced, { budget, forceCompaction: true }));
  expect(pauses).toBeGreaterThanOrEqual(2 * blocks.length);
  finishMaintenance(sliced, value);
  finishMaintenance(whole, maintain(whole, { budget, forceCompaction: true }));
  expect(sliced.render().messages()).toEqual(whole.render().messages());
  expect(sliced.takeEvents()).toEqual(whole.takeEvents());
});
