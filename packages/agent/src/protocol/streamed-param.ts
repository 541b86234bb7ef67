/**
 * Extracts one string parameter of a call from its JSON while the model is still writing it.
 *
 * However the JSON is split, the returned pieces add up to the value that `JSON.parse` would give. Only properties of
 * the outermost object count, and the first of several with the same name. Nothing more is returned after invalid JSON,
 * and nothing for a parameter that is not a string. The complete call is checked later, so the early text may be
 * incomplete.
 */
type Place = "object" | "key" | "colon" | "value" | "next" | "over";

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ...[...'"\\/'].map((same) => [same, same] as const),
  ...["b\b", "f\f", "n\n", "r\r", "t\t"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
]);
const SPACE = /\s/;
const HEX = /^[0-9a-fA-F]{0,4}$/;

export class StreamedParam {
  readonly #text: string;
  readonly #place: string | undefined;
  readonly #rule: string | undefined;
  #at: Place = "object";
  /** The string that is being read, and its kind. */
  #open: "key" | "text" | "place" | "rule" | "other" | null = null;
  #escape = "";
  #key = "";
  /** Number of brackets that are open inside the current value. */
  #depth = 0;
  #collected = "";
  #path: string | null = null;
  #ruling: string | null = null;
  #isRuled = false;
  #isComplete = false;
  #given = false;

  /**
   * `text` is the parameter to extract; `place` is the parameter with the path of the text, if there is one; `rule` is
   * the parameter that decides whether the text may be shown, if there is one.
   */
  constructor(text: string, place?: string, rule?: string) {
    this.#text = text;
    this.#place = place;
    this.#rule = rule;
  }

  /** The value of the parameter `place`, once it is complete. */
  get path(): string | null {
    return this.#path;
  }

  /** The value of the parameter `rule`, once it is complete; null if it is not text. */
  get ruling(): string | null {
    return this.#ruling;
  }

  /** Whether all of the JSON has come and the parameter `rule` was not in it. */
  get isUnruled(): boolean {
    return this.#isComplete && !this.#isRuled;
  }

  /** Takes the next piece of the JSON; returns the new text. */
  push(piece: string): string {
    let given = "";
    for (let at = 0; at < piece.length && this.#at !== "over"; ) {
      if (this.#open === null) {
        this.#readStructure(piece.charAt(at++));
        continue;
      }
      const { text, next, ended } = this.#readString(piece, at);
      if (this.#open === "text") given += text;
      else if (this.#open !== "other") this.#collected += text;
      if (ended) this.#closeString();
      at = next;
    }
    return given;
  }

  /** Decodes up to the closing quote, or to the end of the piece. */
  #readString(piece: string, from: number) {
    let text = "";
    let at = from;
    while (at < piece.length && this.#at !== "over") {
      if (this.#escape !== "") {
        text += this.#readEscape(piece.charAt(at++));
        continue;
      }
      const stop = nextSpecial(piece, at);
      text += piece.slice(at, stop);
      at = stop + 1;
      if (piece.charAt(stop) === '"') return { text, next: at, ended: true };
      if (piece.charAt(stop) === "\\") this.#escape = "\\";
    }
    return { text, next: at, ended: false };
  }

  /** Takes one more character of an escape; returns its meaning once it is complete. */
  #readEscape(char: string): string {
    if (this.#escape === "\\" && char !== "u") {
      this.#escape = "";
      const simple = SIMPLE_ESCAPES.get(char);
      if (simple === undefined) this.#at = "over";
      return simple ?? "";
    }
    this.#escape += char;
    const digits = this.#escape.slice(2);
    if (!HEX.test(digits)) this.#at = "over";
    if (digits.length < 4 || this.#at === "over") return "";
    this.#escape = "";
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #closeString(): void {
    if (this.#open === "key") this.#key = this.#collected;
    if (this.#open === "place") this.#path ??= this.#collected;
    if (this.#open === "rule") this.#ruling ??= this.#collected;
    this.#at = this.#open === "key" ? "colon" : this.#depth > 0 ? "value" : "next";
    this.#collected = "";
    this.#open = null;
  }

  #readStructure(char: string): void {
    if (this.#depth > 0) {
      if (char === '"') this.#open = "other";
      else if (char === "{" || char === "[") this.#depth++;
      else if ((char === "}" || char === "]") && --this.#depth === 0) this.#at = "next";
      return;
    }
    if (SPACE.test(char)) return;
    switch (this.#at) {
      case "object":
        this.#at = char === "{" ? "key" : "over";
        return;
      case "key":
        if (char === '"') this.#open = "key";
        else this.#at = "over";
        return;
      case "colon":
        this.#at = char === ":" ? "value" : "over";
        return;
      case "value":
        this.#beginValue(char);
        return;
      default:
        // The rest of a number or a word, or the end of the parameter's value.
        if (char === ",") this.#at = "key";
        else if (char === "}") {
          this.#at = "over";
          this.#isComplete = true;
        }
    }
  }

  #beginValue(char: string): void {
    if (this.#key === this.#rule) this.#isRuled = true;
    if (char === "{" || char === "[") this.#depth = 1;
    else if (char !== '"') this.#at = "next";
    else if (this.#key === this.#text && !this.#given) {
      this.#given = true;
      this.#open = "text";
    } else this.#open = this.#key === this.#place ? "place" : this.#key === this.#rule ? "rule" : "other";
  }
}

function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 34 || char === 92) return at;
  }
  return text.length;
}
