/** Which way a text runs: by its first letter that has a direction, as the Unicode bidirectional algorithm does. */
const STRONG = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u;

/** A text without letters, such as a number, runs as what it stands in does. */
export function isRightToLeft(text: string, around = false): boolean {
  const first = STRONG.exec(text)?.[0];
  return first === undefined ? around : RIGHT_TO_LEFT.test(first);
}
