/** Splits a text into sentences, list items and lines of tables to quote, without pictures and comments. */
const SENTENCE_END = /(?<!\b\d{1,2}\.)(?<=[.!?…]["'”’)\]]{0,2})\s+(?=["'“‘([]?[\p{Lu}\p{N}])|(?<=[。！？])/u;
const OWN_LINE = /^\s*(?:[-*+•] |\d{1,3}[.)] |#{1,6} |\||>)/;
/** An item of a list or a quotation may continue on the next lines; a heading and a row of a table end with their line. */
const ITEM = /^\s*(?:[-*+•] |\d{1,3}[.)] |>)/;
/** The next line continues an item if it is indented or begins in lower case, or if the line before it is this long. */
const CONTINUED = /^(?:\s{2,}\S|\s*[\p{Ll}(])/u;
const MIN_WRAPPED = 60;
/** A short heading in the line of an item's text, such as `3. Deposit. The tenant pays`. It is quoted together with the sentence after it. */
const RUN_IN = /^\p{Lu}[\p{L}'’-]*(?: [\p{L}'’-]+)?\.$/u;
/** Only a fence with a language opens a block. Any other may close a block that began before the text. */
const OPENING_FENCE = /^\s*```\w/;
/** An empty line, a picture, a comment, or the mark between two extracts of a page. */
const BREAK = /^\s*(?:!\[[^\]]*\]\([^)]*\)\s*|<!--.*-->\s*|…\s*)?$/;
const CLOSING_FENCE = /^\s*```\s*$/;
/** The line below the heading row of a Markdown table. */
const SEPARATOR = /^\s*\|[\s:|-]*-[\s:|-]*$/;
const ADDRESS = /^[a-z]+:\/\/\S+$/;
/** An extract that begins inside a block of code has no opening fence. */
const CODE = /(?:\bconst \w+ = |\bawait \w+|=> |\bfunction \w*\().*[;{].*(?:\bconst |\bawait |=> |\breturn )/;
/** A longer piece is data and not a sentence, so it is cut. */
const MAX_LENGTH = 500;
const MAX_SENTENCES = 20_000;
/** The rest of a longer text is not read, so that a decision takes bounded time. */
const MAX_CHARS = 2_000_000;

/** A longer block of code is left out. */
const MAX_CODE_LINES = 40;

/** A piece of a text that can be quoted. */
export interface Piece {
  readonly text: string;
  /** The block of code that follows a sentence with a colon at its end, with its fences; otherwise null. */
  readonly code: string | null;
  /** The heading row of the Markdown table that the row belongs to; null for any other piece. */
  readonly head: string | null;
}

export function sentencesOf(text: string): string[] {
  return piecesOf(text).map((piece) => piece.text);
}

export function piecesOf(text: string): Piece[] {
  const reader = new PieceReader();
  for (const line of text.slice(0, MAX_CHARS).split(/\r\n?|\n/)) {
    if (reader.pieces.length >= MAX_SENTENCES) break;
    reader.take(line);
  }
  reader.flush();
  return reader.pieces.slice(0, MAX_SENTENCES);
}

class PieceReader {
  readonly pieces: Piece[] = [];
  #waiting: string[] = [];
  #code: string[] | null = null;
  #head: string | null = null;
  #isRowBefore = false;
  #isItem = false;

  take(line: string): void {
    const isRow = this.#code === null && /^\s*\|/.test(line);
    if (!isRow) this.#head = null;
    // A table that begins inside another text has no heading row.
    if (isRow && this.#isRowBefore && SEPARATOR.test(line)) this.#head = this.pieces.at(-1)?.text ?? null;
    this.#isRowBefore = isRow;
    if (this.#code !== null || OPENING_FENCE.test(line)) this.#takeCode(line);
    else if (CLOSING_FENCE.test(line))
      this.#waiting = []; // This fence closes a code block that began before the text, so the pieces so far are code.
    else if (BREAK.test(line)) this.flush();
    else if (OWN_LINE.test(line) || line.includes("\t")) {
      this.flush();
      this.#waiting.push(line.replace(OWN_LINE, "").trim());
      this.#isItem = ITEM.test(line) && !line.includes("\t");
      if (!this.#isItem) this.flush();
    } else {
      if (this.#isItem && !CONTINUED.test(line) && (this.#waiting.at(-1)?.length ?? 0) < MIN_WRAPPED) this.flush();
      this.#waiting.push(line.trim());
    }
  }

  #takeCode(line: string): void {
    this.flush();
    if (this.#code === null) this.#code = [];
    else if (CLOSING_FENCE.test(line)) {
      const [last, code] = [this.pieces.at(-1), [...this.#code, line]];
      this.#code = null;
      if (last?.text.endsWith(":") && last.code === null && code.length <= MAX_CODE_LINES)
        this.pieces.splice(-1, 1, { ...last, code: code.join("\n") });
      return;
    }
    this.#code.push(line);
  }

  flush(): void {
    const [first = "", second, ...others] = this.#waiting.join(" ").split(SENTENCE_END);
    const isHeaded = this.#isItem && second !== undefined && RUN_IN.test(first);
    for (const sentence of isHeaded ? [`${first} ${second}`, ...others] : [first, second ?? "", ...others])
      this.#add(sentence);
    this.#waiting = [];
    this.#isItem = false;
  }

  #add(sentence: string): void {
    const clean = sentence
      .replace(/\s+/g, " ")
      .replace(/^\|\s*|\s*\|$/g, "")
      .trim();
    if (!/[\p{L}\p{N}]/u.test(clean) || ADDRESS.test(clean) || CODE.test(clean.slice(0, MAX_LENGTH))) return;
    const isWhole = clean.length <= MAX_LENGTH;
    const cut = isWhole
      ? clean
      : clean
          .slice(0, MAX_LENGTH)
          .replace(/\s+\S*$/, "")
          .toWellFormed();
    this.pieces.push({ text: isWhole ? cut : `${cut} …`, code: null, head: this.#head });
  }
}
