import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "./any-character.ts";
import { runs } from "./runs.ts";

it("any drawn character is one well-formed character of some plane", () => {
  const planes = new Set<number>();
  fc.assert(
    fc.property(anyCharacter, (character) => {
      const point = character.codePointAt(0) ?? -1;
      planes.add(point >> 16);
      expect([[...character].length, character.isWellFormed()]).toEqual([1, true]);
    }),
    { numRuns: Math.max(runs, 2_000) },
  );
  expect(planes.size).toBe(17);
});

it("recognises every well-formed character, including those next to the surrogates, and no other text", () => {
  const own = ["\0", "a", "\ud7ff", "\ue000", "𝒳", "\u{10ffff}"];
  expect(own.filter((text) => !anyCharacter.canShrinkWithoutContext(text))).toEqual([]);
  expect(["", "ab", "\ud800", "\udfff"].filter((text) => anyCharacter.canShrinkWithoutContext(text))).toEqual([]);
});
