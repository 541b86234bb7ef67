/** Timelines of equal turns, for tests of compactions. */
import { make } from "@cairn/testkit/conversation";
import type { Block } from "../src/block/block.ts";
import { Timeline } from "../src/timeline.ts";

/** One token for each character: numbers in the tests are lengths of rendered texts. */
export const deps = { clock: { now: () => 0 }, countTokens: (text: string) => text.length };

export function withTurns(
  count: number,
  chars: number,
  extra: (turn: string) => readonly Block[] = () => [],
): Timeline {
  const timeline = Timeline.create(deps);
  for (let nth = 1; nth <= count; nth++) {
    const turn = `turn_${nth}`;
    timeline.contribute([
      make.header(turn),
      make.prompt(turn, "q".repeat(chars)),
      ...extra(turn),
      make.completion(turn, `answer ${nth}`),
    ]);
  }
  return timeline;
}

export const types = (timeline: Timeline) => timeline.state.window.map((entry) => entry.block.type);
