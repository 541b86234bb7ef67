/**
 * Orders in a sentence that is too long to be kept: the clause with the order represents the sentence.
 *
 * A clause ends with a comma, a semicolon, a colon or a dash. An order may consist of two clauses, as in "When I paste
 * code, check it". A clause that is still too long is clipped after a word, if it is an order up to there.
 */
import type { Sentence } from "./sentence.ts";

export const MAX_CHARS = 600;

const JOINT = /[,;:—–]\s+|[，；：、]/gu;
const CLIPPED = "…";

export function orderClauses(sentence: Sentence, isOrder: (spoken: string) => boolean): string[] {
  const starts = [0, ...[...sentence.spoken.matchAll(JOINT)].map(({ 0: joint, index }) => index + joint.length)];
  const found: string[] = [];
  for (let nth = 0; nth < starts.length; nth++) {
    const part = (count: number) => ({ from: starts[nth] ?? 0, to: starts[nth + count] ?? sentence.spoken.length });
    const isNextAlone = nth + 1 < starts.length && isOrder(spokenIn(sentence, starts[nth + 1] ?? 0, part(2).to));
    const counts = isNextAlone ? [1] : [1, 2];
    const count = counts.find((each) => isOrder(spokenIn(sentence, part(each).from, part(each).to)));
    if (count === undefined) continue;
    const text = clip(sentence.text.slice(part(count).from, part(count).to).replace(/[\s,;:—–，；：、]+$/u, ""));
    if (isOrder(text)) found.push(text);
    nth += count - 1;
  }
  return found;
}

function spokenIn({ spoken }: Sentence, from: number, to: number): string {
  return spoken.slice(from, to);
}

function clip(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const room = text.slice(0, MAX_CHARS - CLIPPED.length).toWellFormed();
  const end = room.search(/\s+\S*$/u);
  return `${end > MAX_CHARS / 2 ? room.slice(0, end) : room.replace(/\uFFFD$/u, "")}${CLIPPED}`;
}
