/**
 * The rest of a JSON object whose beginning is known, as a model writes it: as text. Line breaks and tabs inside a string
 * are escaped where the model forgot to, and whatever follows the end of the object is dropped, such as a code fence.
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

  /** The object is complete. */
  get isOver(): boolean {
    return this.#begun && this.#depth === 0;
  }

  /** Takes a piece; gives back what of it belongs to the object. */
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
