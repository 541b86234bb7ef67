import { expect, it } from "vitest";
import { turnName } from "./turn-name.ts";

it("calls a turn by its number and the first words of its question", () => {
  const named = (text: string) => turnName({ n: 3, prompt: { text, ts: null } });
  expect(named("When does\n the tide turn?")).toBe("Turn 3: When does the tide turn?");
  expect(named("")).toBe("Turn 3");
  expect(named("word ".repeat(20))).toBe("Turn 3: word word word word word word word word…");
});
