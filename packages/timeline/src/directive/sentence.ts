/** Sentences of a text: they end with a line, or with a full stop, a question or an exclamation mark and a space. */
export interface Sentence {
  readonly text: string;
  /** The sentence without quotations and code. */
  readonly spoken: string;
  readonly start: number;
  readonly end: number;
}

/** The end of a sentence, with a few closing marks only: looking back over many marks takes quadratic time. */
const BREAK = /[\r\n\u2028\u2029]+|(?<=[.!?…][)\]"'’”»*_]{0,8})[ \t]+|(?<=[。！？][」』”）]{0,8})(?![」』”）])/gu;
/** Abbreviations, whose full stop does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|no|mr|mrs|ms|dr|prof|st|z\. ?b|d\. ?h|u\. ?a|bzw|ca|nr|p\. ?ex|p\. ?ej|ej|ecc|sr|sra|т\. ?е|т\. ?д|напр)\.$/iu;

/** `spoken` is as long as `text`. Only the part from `start` to `end` is read. */
export function splitSentences(text: string, spoken: string, start: number, end: number): Sentence[] {
  const sentences: Sentence[] = [];
  let from = start;
  const take = (to: number) => {
    const written = text.slice(from, to).trim();
    if (written !== "") sentences.push({ text: written, spoken: spoken.slice(from, to).trim(), start: from, end: to });
  };
  for (const { 0: gap, index } of spoken.slice(start, end).matchAll(BREAK)) {
    const at = start + index;
    if (at <= from || ABBREVIATION.test(spoken.slice(Math.max(from, at - 12), at))) continue;
    take(at);
    from = at + gap.length;
  }
  take(end);
  return sentences;
}
