/**
 * The tokens of a text that grows at its end. Finished blocks are not parsed again. The last two blocks are never
 * finished: further text can extend the last block (a list item, a row, the underline of a heading) and, after a blank
 * line, the block before it. A block after the start of a possible formula is not finished either, because only the end
 * of a formula shows that it is one. Incomplete syntax at the end is rendered as if complete. A text that changed
 * before its end is parsed again.
 */
import type { Token } from "marked";
import { closeHalfOpen } from "./half-open.ts";
import { lexMarkdown } from "./lex.ts";

export class GrowingText {
  #text = "";
  #tokens: readonly Token[] = [];

  read(text: string): readonly Token[] {
    if (text === this.#text) return this.#tokens;
    const kept = text.startsWith(this.#text) ? this.#finished() : [];
    const from = kept.reduce((sum, token) => sum + token.raw.length, 0);
    this.#tokens = [...kept, ...lexMarkdown(closeHalfOpen(text.slice(from)))];
    this.#text = text;
    return this.#tokens;
  }

  #finished(): readonly Token[] {
    let last = this.#tokens.length;
    for (let solid = 0; last > 0 && solid < 2; ) {
      last--;
      if (this.#tokens[last]?.type !== "space") solid++;
    }
    const open = this.#tokens.findIndex(mayBeOpenMath);
    return this.#tokens.slice(0, open < 0 ? last : Math.min(open, last));
  }
}

function mayBeOpenMath({ type, raw }: Token): boolean {
  return type !== "math" && type !== "code" && /(?:^|\n)[ \t]*(?:\$\$|\\\[)/.test(raw);
}
