/**
 * Any character: what fast-check's own `unit: "binary"` gives, without its table of a million entries, which takes a
 * second of every process that wants a text.
 */
import fc from "fast-check";

/** Halves of pairs are no characters; tests that are about them add their own. */
const HALVES = { first: 0xd800, count: 0x800 };
const CHARACTERS = 0x110000 - HALVES.count;

export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: CHARACTERS - 1 }).map(
  (index) => String.fromCodePoint(index < HALVES.first ? index : index + HALVES.count),
  (character) => {
    const point = typeof character === "string" ? (character.codePointAt(0) ?? -1) : -1;
    const isOne = point >= 0 && String.fromCodePoint(point) === character;
    const isHalf = point >= HALVES.first && point < HALVES.first + HALVES.count;
    if (!isOne || isHalf) throw new Error("This is not one character.");
    return point < HALVES.first ? point : point - HALVES.count;
  },
);
