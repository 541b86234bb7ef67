/** Comparisons of numbers, and the words that name them in a question without accents. */
import { type Fraction, isLess } from "./fraction.ts";

export type Sign = ">" | "≥" | "<" | "≤";

export const COMPARING: readonly (readonly [sign: Sign, words: string])[] = [
  ["≥", "at least|>=|≥|mindestens|au moins"],
  ["≤", "at most|up to|<=|≤|hochstens|bis zu|au plus|jusqu'a"],
  [
    ">",
    "(?:more|greater|higher|larger|bigger) than|over|above|exceed(?:s|ed|ing)?|>|(?:mehr|grosser|großer|hoher) als|uber|plus de|plus elevee? que|au-dessus de|superieure?s? a",
  ],
  [
    "<",
    "(?:less|lower|smaller|fewer) than|under|below|<|(?:weniger|kleiner|niedriger|geringer) als|unter|moins de|moins elevee? que|au-dessous de|inferieure?s? a",
  ],
];

export function compare(number: Fraction | null, sign: Sign, value: Fraction): boolean {
  if (number === null) return false;
  switch (sign) {
    case ">":
      return isLess(value, number);
    case "≥":
      return !isLess(number, value);
    case "<":
      return isLess(number, value);
    case "≤":
      return !isLess(value, number);
  }
}
