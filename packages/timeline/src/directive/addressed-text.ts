/**
 * The sentences of a message in which a person speaks to the agent.
 *
 * Quotations and code are somebody else's words: sentences are split and judged without them, and kept as they were
 * written. A message of more than 2,000 characters is mostly pasted material. Only the first 500 characters of its
 * first paragraph and the last 500 of its last paragraph count.
 *
 * If a text has more than 200,000 characters, only the first and the last 100,000 are read, as if the rest did not
 * exist. This rule limits the cost of a turn, however long the text is.
 */
import { blankQuotations } from "./quotation.ts";
import { type Sentence, splitSentences } from "./sentence.ts";

const LONG_MESSAGE = 2_000;
const MAX_PARAGRAPH = 500;
const MAX_JUDGED = 200_000;

export function isLongMessage(text: string): boolean {
  return text.length > LONG_MESSAGE;
}

/** The part of a text that is searched for orders. */
export function judgedText(text: string): string {
  const half = MAX_JUDGED / 2;
  return text.length <= MAX_JUDGED ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

export function addressedSentences(whole: string): Sentence[] {
  const text = judgedText(whole);
  const spoken = blankQuotations(text);
  if (!isLongMessage(text)) return splitSentences(text, spoken, 0, text.length);
  const { first, last } = outerParagraphs(text);
  const sentences = splitSentences(text, spoken, first.start, first.end);
  if (last.start > first.start) sentences.push(...splitSentences(text, spoken, last.start, last.end));
  return sentences.filter(
    ({ start, end }) =>
      end <= Math.min(first.end, first.start + MAX_PARAGRAPH) ||
      start >= Math.max(last.start, last.end - MAX_PARAGRAPH),
  );
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Blank lines separate paragraphs. A text without blank lines is one paragraph, both the first and the last. */
function outerParagraphs(text: string): { readonly first: Range; readonly last: Range } {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  let [firstEnd, lastStart] = [end, start];
  for (const { 0: gap, index } of text.slice(0, end).matchAll(/\n[^\S\n]*\n\s*/g)) {
    if (index < start) continue;
    firstEnd = Math.min(firstEnd, index);
    lastStart = index + gap.length;
  }
  return { first: { start, end: firstEnd }, last: { start: lastStart, end } };
}
