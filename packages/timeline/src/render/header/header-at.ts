/**
 * Decides whether a line begins with text that a model would read as a header.
 *
 * Case, blanks and ignorable characters are ignored, but at least one blank separates two words. A character that looks
 * like a letter or a bracket counts as one. After the last word of a header anything but a letter may follow; the
 * closing bracket is not required. `[TURN` alone is too common in prose and code, so it is a header only before a
 * blank.
 *
 * A line is read once, until it no longer looks like a header.
 */
import { COMMON_HEADERS, HEADERS } from "./headers.ts";
import { BLANK, BRACKET, readingOf } from "./reading.ts";

interface Node {
  readonly next: Map<string, Node>;
  /** Set where the last word of a header ends: it is a header before a blank, or before anything but a letter. */
  ends: "before_blank" | "before_any" | null;
  /** Whether a word must end after this character, before a blank. */
  endsWord: boolean;
}

const makeNode = (): Node => ({ next: new Map(), ends: null, endsWord: false });

/** Tag characters are invisible copies of ASCII. Some models ignore them, some read them. */
const TAGS = { first: 0xe0020, last: 0xe007e, offset: 0xe0000 };

let headers: Node | null = null;

function makeHeaders(): Node {
  const root = makeNode();
  for (const header of [...HEADERS, "[SOURCES POOL]"]) {
    let node = root;
    for (const character of header.replace(/[\] ]$/, "")) {
      if (character === " ") node.endsWord = true;
      else for (const letter of readingOf(character.charCodeAt(0))) node = step(node, letter);
    }
    node.ends = COMMON_HEADERS.has(header) ? "before_blank" : "before_any";
  }
  return root;
}

function step(node: Node, letter: string): Node {
  const next = node.next.get(letter) ?? makeNode();
  node.next.set(letter, next);
  return next;
}

/** Whether a line is a header. `start` is the index where the line begins. */
export function isHeaderAt(text: string, start: number): boolean {
  const found = readLine(text, start, false);
  return found === "header" || (found === "tags" && readLine(text, start, true) === "header");
}

/** Whether the line is a header; `tags` if it can be one only when its tag characters are removed. */
function readLine(text: string, start: number, readsTags: boolean): "header" | "tags" | "other" {
  headers ??= makeHeaders();
  const opened = headers.next.get(BRACKET);
  let other: "tags" | "other" = "other";
  let node = headers;
  let afterBlank = false;
  for (let at = start; at < text.length; ) {
    let point = text.codePointAt(at) ?? 0;
    at += point > 0xffff ? 2 : 1;
    if (point >= TAGS.first && point <= TAGS.last) {
      other = "tags";
      if (readsTags) point -= TAGS.offset;
    }
    const reading = readingOf(point);
    if (reading === BLANK) {
      if (node.ends !== null) return "header";
      afterBlank = true;
      continue;
    }
    // A doubled bracket is read like a single one.
    if (reading === BRACKET && node === opened) continue;
    if (node.ends !== null && !isLetter(reading)) return node.ends === "before_any" ? "header" : other;
    if (reading === "") return other;
    for (const letter of reading) {
      const next = node.next.get(letter);
      if (next === undefined || (node.endsWord && !afterBlank)) return other;
      node = next;
      afterBlank = false;
    }
  }
  return node.ends === "before_any" ? "header" : other;
}

function isLetter(reading: string): boolean {
  return reading >= "a" && reading < "{";
}
