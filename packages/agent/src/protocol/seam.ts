/**
 * Joins two parts of one answer. A model that continues an answer is asked to repeat the last few words of the first
 * part, so that no space is lost and no word is split. Here, the longest beginning of the second part that is also the
 * end of the first part is dropped, because some models repeat more or fewer words. Text with which the first part ends
 * twice, such as equal rows of a table, is kept.
 */

/** Maximum length of a repetition, in characters. */
const LOOK = 240;
const MAX_ANCHOR_LENGTH = 60;
/** Minimum length of a repetition that is removed. Shorter ones may be intended. */
const MIN_REPEAT_LENGTH = 20;
/** Minimum length of a repetition that is removed if it begins with a whole word. */
const MIN_WORDS = 6;

const FENCE = /^\s*```\w*\n/;
const BEGUN_FENCE = /^\s*(?:`{1,2}|```\w*)$/;

/** The last words of a text. The model is asked to begin the next part with them. */
export function anchorOf(text: string): string {
  const end = text.slice(-MAX_ANCHOR_LENGTH).toWellFormed();
  if (text.length <= MAX_ANCHOR_LENGTH) return end;
  return end.replace(/^\S*\s+(?=\S)/u, "");
}

export class Seam {
  readonly #before: string;
  readonly #anchor: string;
  readonly #mayBeFenced: boolean;
  /** Text that was received but not passed on yet; null when both parts are joined. */
  #held: string | null = "";

  /** `mayBeFenced`: the next part may begin with a code fence that does not belong to it. */
  constructor(before: string, { mayBeFenced = false } = {}) {
    this.#before = before;
    this.#anchor = anchorOf(before);
    this.#mayBeFenced = mayBeFenced;
  }

  /** Takes a piece of the next part; returns the text that follows the earlier part. */
  push(piece: string): string {
    if (this.#held === null) return piece;
    this.#held += piece;
    if (this.#mayBeFenced && BEGUN_FENCE.test(this.#held)) return "";
    // All text so far repeats the earlier part, and the repetition may be longer.
    const text = this.#withoutFence(this.#held).trimStart();
    return this.#before.slice(-LOOK).includes(text) ? "" : this.end();
  }

  /** The remaining text when nothing more arrives. */
  end(): string {
    const held = this.#withoutFence(this.#held ?? "");
    this.#held = null;
    const text = held.trimStart();
    const repeated = this.#repeated(text);
    return repeated === 0 ? held : text.slice(repeated);
  }

  #repeated(text: string): number {
    const before = this.#before;
    for (let length = Math.min(text.length, LOOK); length >= MIN_WORDS; length--) {
      const repeated = text.slice(0, length);
      if (!before.endsWith(repeated) || before.endsWith(`${repeated}${repeated}`)) continue;
      const beginsWord = !/[\p{L}\p{N}]/u.test(before.charAt(before.length - length - 1));
      if (beginsWord || length >= MIN_REPEAT_LENGTH) return length;
    }
    return this.#anchor !== "" && text.startsWith(this.#anchor) ? this.#anchor.length : 0;
  }

  #withoutFence(text: string): string {
    return this.#mayBeFenced ? text.replace(FENCE, "") : text;
  }
}
