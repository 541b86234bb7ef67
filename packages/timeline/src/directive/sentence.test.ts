import { growthOnDoubling } from "@cairn/testkit/growth";
import { expect, it } from "vitest";
import { splitSentences } from "./sentence.ts";

const split = (text: string) => splitSentences(text, text, 0, text.length).map((sentence) => sentence.text);

it("a sentence ends with its closing marks", () => {
  expect(split('He said (she said "yes.") Then he left.')).toEqual(['He said (she said "yes.")', "Then he left."]);
  expect(split("「好。」他走了。")).toEqual(["「好。」", "他走了。"]);
});

it.each(["”", "’", ")", "」", "）", "*", '."', "。」", ". ", "\t"])(
  "splitting a long run of %j takes linear time",
  (mark) => {
    expect(growthOnDoubling((size) => mark.repeat(size), split, 2_000)).toBeLessThan(3);
  },
);
