import { make } from "@cairn/testkit/conversation";
import { expect, it } from "vitest";
import { Timeline } from "../timeline.ts";
import { composeTurnLog } from "./turn-log.ts";

it("the log of a turn contains no sealed reasoning", () => {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  const pieces = [{ text: "Hm.", options: { anthropic: { signature: "s" } }, after: 0 }];
  const answer = {
    ...make.completion("turn_1", "Yes."),
    meta: { sources_used: [1], reasoning: { model: "m", pieces } },
  };
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Go"), answer]);
  const { blocks } = composeTurnLog(timeline.state, "turn_1", "", null);
  expect(blocks.at(-1)).toMatchObject({ text: "Yes.", meta: { sources_used: [1] } });
  expect(JSON.stringify(blocks)).not.toContain("signature");
});
