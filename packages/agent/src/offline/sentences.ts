/** Splits a text into sentences, list items and lines of tables to quote, without code, pictures and comments. */
const SENTENCE_END = /(?<!\b\d{1,2}\.)(?<=[.!?…]["'”’)\]]{0,2})\s+(?=["'“‘([]?[\p{Lu}\p{N}])|(?<=[。！？])/u;
const OWN_LINE = /^\s*(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||>)/;
/** Only a fence with a language opens a block. Any other may close a block that began before the text. */
const OPENING_FENCE = /^\s*```\w/;
/** An empty line, a picture, a comment, or the mark between two extracts of a page. */
const BREAK = /^\s*(?:!\[[^\]]*\]\([^)]*\)\s*|<!--.*-->\s*|…\s*)?$/;
const CLOSING_FENCE = /^\s*```\s*$/;
/** A longer piece is data and not a sentence, so it is cut. */
const MAX_LENGTH = 500;
const MAX_SENTENCES = 20_000;
/** The rest of a longer text is not read, so that a decision takes bounded time. */
const MAX_CHARS = 2_000_000;

export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let waiting: string[] = [];
  let isCode = false;
  const flush = () => {
    if (waiting.length > 0) for (const sentence of waiting.join(" ").split(SENTENCE_END)) add(sentences, sentence);
    waiting = [];
  };
  for (const line of text.slice(0, MAX_CHARS).split(/\r\n?|\n/)) {
    if (sentences.length >= MAX_SENTENCES) break;
    if (isCode || OPENING_FENCE.test(line)) {
      flush();
      isCode = !CLOSING_FENCE.test(line);
    } else if (CLOSING_FENCE.test(line))
      waiting = []; // This fence closes a code block that began before the text, so the pieces so far are code.
    else if (BREAK.test(line)) flush();
    else if (OWN_LINE.test(line) || line.includes("\t")) {
      flush();
      waiting.push(line.replace(OWN_LINE, "").trim());
      flush();
    } else waiting.push(line.trim());
  }
  flush();
  return sentences.slice(0, MAX_SENTENCES);
}

function add(sentences: string[], sentence: string): void {
  const clean = sentence
    .replace(/\s+/g, " ")
    .replace(/^\|\s*|\s*\|$/g, "")
    .trim();
  if (!/[\p{L}\p{N}]/u.test(clean)) return;
  sentences.push(
    clean.length <= MAX_LENGTH
      ? clean
      : `${clean
          .slice(0, MAX_LENGTH)
          .replace(/\s+\S*$/, "")
          .toWellFormed()} …`,
  );
}
