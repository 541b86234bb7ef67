/**
 * Reads an object that a model wrote as JSON, possibly with mistakes, and returns it as strict JSON while it arrives.
 *
 * Valid JSON keeps its meaning, however it is split into pieces. The reader also accepts text before and after the
 * object, single and typographic quotes, unescaped quotes and line breaks in strings, invalid escapes, names without
 * quotes, Python's words, comments, missing and superfluous commas, and missing or wrong closing brackets. The result
 * is valid JSON for any text. The last bracket is not returned, so that the caller can add entries.
 */
type Expected = "key" | "colon" | "value" | "next";

interface Level {
  readonly bracket: "{" | "[";
  expected: Expected;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "”": "”", "„": "“" };
const WORDS: ReadonlyMap<string, string> = new Map([
  ...["true", "false", "null"].map((word) => [word, word] as const),
  ...["none", "undefined", "nan"].map((word) => [word, "null"] as const),
]);
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SPACE = /\s/;
const SIMPLE_ESCAPES = '"\\/bfnrt';
/** Characters that show that the quote before them ends its string. */
const AFTER_STRING = ",:}]，：";
const NOTHING_SPECIAL = /[^"'`”“\\\u0000-\u001f]*/y;

export class LenientJson {
  readonly #levels: Level[] = [];
  /** Number of open square brackets. */
  #lists = 0;
  #hasBegun = false;
  #isOver = false;
  #before = "";
  #out = "";
  /** The quote that ends the open string; null outside of strings. */
  #quote: string | null = null;
  #isTriple = false;
  #isEmptyString = false;
  /** The space after a quote, until it is known whether the quote ends the string; null at other places. */
  #afterQuote: string | null = null;
  /** An escape sequence so far; empty when there is none. */
  #escape = "";
  /** A word without quotes so far; null when there is none. */
  #word: string | null = null;
  #comment: "" | "/" | "//" | "/*" | "/**" = "";

  /** Whether the object has begun. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether all brackets of the object are closed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the object has an entry, even an incomplete one. */
  get hasEntries(): boolean {
    return this.#hasBegun && this.#levels[0]?.expected !== "key";
  }

  /** Takes the next piece; returns the new JSON and the number of used characters (all, until the object ends). */
  push(piece: string): { readonly json: string; readonly used: number } {
    let at = 0;
    while (at < piece.length && !this.#isOver) {
      if (this.#quote !== null && this.#escape === "" && this.#afterQuote === null) {
        NOTHING_SPECIAL.lastIndex = at;
        const plain = NOTHING_SPECIAL.exec(piece)?.[0] ?? "";
        if (plain !== "") {
          this.#write(plain);
          at += plain.length;
          continue;
        }
      }
      this.#read(piece.charAt(at++));
    }
    return { json: this.#take(), used: at };
  }

  /** The text that arrived instead of an object; empty once an object has begun. */
  get instead(): string {
    return this.#hasBegun ? "" : this.#before.trim();
  }

  /** Closes everything that is open, except the object itself. Returns the new JSON. */
  end(): string {
    if (!this.#hasBegun || this.#isOver) return "";
    if (this.#escape !== "") this.#endEscape("");
    if (this.#quote !== null) this.#closeString();
    this.#endWord();
    while (this.#levels.length > 1) this.#pop();
    this.#complete(this.#levels[0]);
    this.#isOver = true;
    return this.#take();
  }

  #take(): string {
    const out = this.#out;
    this.#out = "";
    return out;
  }

  #read(char: string): void {
    if (!this.#hasBegun) this.#begin(char);
    else if (this.#quote !== null) this.#readString(char);
    else if (this.#comment !== "" && this.#readComment(char)) return;
    else if (this.#word !== null) this.#readWord(char);
    else this.#readStructure(char);
  }

  #begin(char: string): void {
    if (char !== "{") {
      if (this.#before.length < 1_000) this.#before += char;
      return;
    }
    this.#hasBegun = true;
    this.#levels.push({ bracket: "{", expected: "key" });
    this.#out += "{";
  }

  #readStructure(char: string): void {
    if (SPACE.test(char)) return;
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    if (char === "/" || char === "#") this.#comment = char === "#" ? "//" : "/";
    else if (char === "}" || char === "]") this.#close(char === "}" ? "{" : "[");
    else if (char === "," || char === "，") this.#separate(level);
    else if (char === ":" || char === "：" || char === "=") {
      if (level.expected === "colon") this.#takeColon(level);
    } else if (Object.hasOwn(CLOSING, char)) this.#openString(level, CLOSING[char] ?? '"');
    else if (char === "{" || char === "[") this.#openLevel(level, char);
    else {
      this.#word = char;
      if (level.expected === "colon") this.#takeColon(level);
    }
  }

  #takeColon(level: Level): void {
    this.#out += ":";
    level.expected = "value";
  }

  /** Writes the comma or colon that must come before a value or a name. */
  #beginToken(level: Level): void {
    if (level.expected === "colon") this.#takeColon(level);
    if (level.expected !== "next") return;
    this.#out += ",";
    level.expected = level.bracket === "{" ? "key" : "value";
  }

  #endToken(level: Level | undefined): void {
    if (level !== undefined) level.expected = level.expected === "key" ? "colon" : "next";
  }

  /** A comma after a name or a colon means that the value is missing. */
  #separate(level: Level): void {
    if (level.bracket === "{") this.#complete(level);
  }

  #complete(level: Level | undefined): void {
    if (level?.bracket !== "{") return;
    if (level.expected === "colon") this.#out += ":null";
    if (level.expected === "value") this.#out += "null";
    if (level.expected !== "key") level.expected = "next";
  }

  #openLevel(level: Level, bracket: "{" | "["): void {
    this.#beginToken(level);
    // A bracket here is ignored, because the name of a field cannot begin with one.
    if (level.expected === "key") {
      this.#out += '"":';
      level.expected = "value";
    }
    this.#out += bracket;
    if (bracket === "[") this.#lists++;
    this.#levels.push({ bracket, expected: bracket === "{" ? "key" : "value" });
  }

  #pop(): void {
    const level = this.#levels.pop();
    this.#complete(level);
    if (level?.bracket === "[") this.#lists--;
    this.#out += level?.bracket === "{" ? "}" : "]";
    this.#endToken(this.#levels.at(-1));
  }

  /** A closing bracket that closes nothing is ignored; one that closes an outer level also closes the levels inside. */
  #close(bracket: "{" | "["): void {
    if (bracket === "[" && this.#lists === 0) return;
    const from = this.#levels.findLastIndex((level) => level.bracket === bracket);
    while (this.#levels.length > Math.max(from, 1)) this.#pop();
    if (from > 0) return;
    this.#complete(this.#levels[0]);
    this.#isOver = true;
  }

  #openString(level: Level, quote: string): void {
    this.#beginToken(level);
    this.#out += '"';
    this.#quote = quote;
    this.#isTriple = false;
    this.#isEmptyString = true;
  }

  #closeString(): void {
    this.#out += '"';
    this.#quote = null;
    this.#afterQuote = null;
    this.#endToken(this.#levels.at(-1));
  }

  #readString(char: string): void {
    if (this.#escape !== "") this.#readEscape(char);
    else if (this.#afterQuote !== null) this.#readAfterQuote(char);
    else if (char === this.#quote) this.#afterQuote = "";
    else if (char === "\\") this.#escape = "\\";
    else this.#write(char);
  }

  /** A quote ends its string if something follows that can follow a string. Otherwise it belongs to the text. */
  #readAfterQuote(char: string): void {
    const space = this.#afterQuote ?? "";
    const isNextString = Object.hasOwn(CLOSING, char) && space.includes("\n");
    if (this.#isTriple) this.#readTriple(space, char);
    else if (char === this.#quote && space === "" && this.#isEmptyString) {
      this.#isTriple = true;
      this.#afterQuote = null;
    } else if (AFTER_STRING.includes(char) || isNextString) {
      this.#closeString();
      this.#readStructure(char);
    } else if (SPACE.test(char)) this.#afterQuote = space + char;
    else this.#reopen(space, char);
  }

  /** Three quotes end a string that three quotes opened. */
  #readTriple(seen: string, char: string): void {
    if (char !== this.#quote) this.#reopen(seen, char);
    else if (seen === "") this.#afterQuote = char;
    else this.#closeString();
  }

  #reopen(space: string, char: string): void {
    this.#afterQuote = null;
    this.#write(`${this.#quote}${space}`);
    this.#readString(char);
  }

  #readEscape(char: string): void {
    if (this.#escape !== "\\") {
      const isDigit = /[0-9a-fA-F]/.test(char);
      if (isDigit) this.#escape += char;
      if (!isDigit || this.#escape.length === 6) this.#endEscape(isDigit ? "" : char);
    } else if (char === "u") this.#escape = "\\u";
    else {
      this.#escape = "";
      this.#isEmptyString = false;
      if (SIMPLE_ESCAPES.includes(char)) this.#out += `\\${char}`;
      // An escape such as `\'`, or a backslash at the end of a line. Any other backslash belongs to the text.
      else if (Object.hasOwn(CLOSING, char)) this.#write(char);
      else if (char !== "\n") this.#write(`\\${char}`);
    }
  }

  /** Ends `\u…`, which is an escape only with four digits; `char` comes after it. */
  #endEscape(char: string): void {
    const sequence = this.#escape;
    this.#escape = "";
    this.#isEmptyString = false;
    if (sequence.length === 6) this.#out += sequence;
    else this.#write(sequence);
    if (char !== "") this.#readString(char);
  }

  #write(text: string): void {
    this.#isEmptyString = false;
    this.#out += escapeText(text);
  }

  #readWord(char: string): void {
    const isKey = this.#levels.at(-1)?.expected === "key" || this.#levels.at(-1)?.expected === "next";
    const inObject = this.#levels.at(-1)?.bracket === "{";
    const isOver = isKey && inObject ? /[\s:：=,，{}[\]]/.test(char) : /[,，}\]\n]/.test(char);
    if (!isOver) {
      this.#word += char;
      return;
    }
    this.#endWord();
    this.#readStructure(char);
  }

  #endWord(): void {
    if (this.#word === null) return;
    const word = withoutComment(this.#word).trim();
    this.#word = null;
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    this.#beginToken(level);
    const strict = level.expected === "key" ? undefined : (WORDS.get(word.toLowerCase()) ?? NUMBER.exec(word)?.[0]);
    this.#out += strict ?? JSON.stringify(word.toWellFormed());
    this.#endToken(level);
  }

  /** Returns false for a slash that begins no comment. */
  #readComment(char: string): boolean {
    switch (this.#comment) {
      case "/":
        if (char !== "/" && char !== "*") {
          this.#comment = "";
          this.#word = "/";
          return false;
        }
        this.#comment = char === "/" ? "//" : "/*";
        return true;
      case "//":
        if (char === "\n") this.#comment = "";
        return true;
      case "/**":
        this.#comment = char === "/" ? "" : char === "*" ? "/**" : "/*";
        return true;
      default:
        if (char === "*") this.#comment = "/**";
        return true;
    }
  }
}

/** Removes the comment that begins after a space at the end of an unquoted word. Takes linear time. */
function withoutComment(word: string): string {
  const lineStart = Math.max(...["\n", "\r", "\u2028", "\u2029"].map((lineBreak) => word.lastIndexOf(lineBreak))) + 1;
  for (let at = word.indexOf("//", lineStart); at >= 0; at = word.indexOf("//", at + 1))
    if (SPACE.test(word.charAt(at - 1))) return word.slice(0, at);
  return word;
}

/** A text as the inside of a JSON string. Half a surrogate pair stays, because the next piece may complete it. */
export function escapeText(text: string): string {
  return text.replace(/["\\\u0000-\u001f]/g, (char) => JSON.stringify(char).slice(1, -1));
}
