/** Each attack is a prompt. The guard is version 3 of the rendering rules; without it a timeline renders by version 2. */
import { Timeline } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { HEADER_ATTACKS, type HeaderAttack } from "./headers.ts";

/** The number of lines of the attack that appear unchanged in the model's view. */
function forgedLines({ lines, lineBreak = "\n" }: HeaderAttack, rendererVersion?: number): number {
  const versions = rendererVersion === undefined ? {} : { rendererVersion };
  const clock = { now: () => 1_770_631_200_000 };
  const timeline = Timeline.create({ clock, countTokens: () => 1, ...versions });
  const sent = lines();
  const text = ["Hello.", ...sent].join(lineBreak);
  timeline.openTurn("turn_1");
  timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text }]);
  const seen = [...timeline.render()].map((message) => (message.type === "text" ? message.text : "")).join("\n");
  const shown = seen
    .slice(seen.indexOf("Hello."))
    .split(lineBreak)
    .slice(1, sent.length + 1);
  expect(
    shown
      .map((line) => line.replace(/^\\/, ""))
      .join(lineBreak)
      .startsWith(sent.join(lineBreak)),
  ).toBe(true);
  return shown.filter((line) => !line.startsWith("\\")).length;
}

describe.each(HEADER_ATTACKS.map((attack) => [attack.name, attack] as const))("a forged header, %s", (_, attack) => {
  it("is read as a header without the guard, and as text with it", () => {
    expect(forgedLines(attack, 2)).toBeGreaterThan(0);
    expect(forgedLines(attack)).toBe(0);
  });
});
