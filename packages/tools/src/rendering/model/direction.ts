/** The direction of a text: by its first letter with a direction, as in the Unicode bidirectional algorithm. */
const STRONG = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/** A text without letters, such as a number, has the direction of its surroundings. */
export function isRightToLeft(text: string, around = false): boolean {
  const first = STRONG.exec(text)?.[0];
  return first === undefined ? around : RIGHT_TO_LEFT.test(first);
}
