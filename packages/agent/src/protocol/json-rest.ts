/**
 * Reads the rest of a JSON object that a model continues as text. Unescaped line breaks and tabs inside strings are
 * escaped, and text after the end of the object, such as a code fence, is dropped.
 */
const ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export class JsonRest {
  #depth = 0;
  #begun = false;
  #inString = false;
  #isEscaped = false;

  constructor(before: string) {
    this.push(before);
  }

  /** Whether the JSON object is complete. */
  get isOver(): boolean {
    return this.#begun && this.#depth === 0;
  }

  /** Takes a piece of text; returns the part that belongs to the JSON object. */
  push(piece: string): string {
    let kept = "";
    for (const character of piece) {
      if (this.isOver) break;
      kept += this.#inString ? (ESCAPES[character] ?? character) : character;
      this.#read(character);
    }
    return kept;
  }

  #read(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#inString) {
      if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#inString = false;
    } else if (character === '"') this.#inString = true;
    else if (character === "{" || character === "[") {
      this.#depth++;
      this.#begun = true;
    } else if (character === "}" || character === "]") this.#depth = Math.max(0, this.#depth - 1);
  }
}
