/**
 * Divides a text document into pages at its recorded page breaks. A break can be recorded twice: by the author, and by
 * the program that computed the layout. If the document states more pages than its breaks make, no page numbers are
 * written, because some would be wrong.
 */
import type { PartWriter } from "./part-writer.ts";

type Write = (writer: PartWriter) => void;

export class PageCounter {
  readonly #pages: Write[][] = [[]];
  #isFresh = true;

  /** Text of the current page. */
  write(write: Write): void {
    this.#pages.at(-1)?.push(write);
    this.#isFresh = false;
  }

  /** A break that the author made. A break before the first text begins no page. */
  breakPage(): void {
    if (this.#pages.length === 1 && this.#isFresh) return;
    this.#pages.push([]);
    this.#isFresh = true;
  }

  /** Records a page break of the layout. Directly after a break of the author, it is the same break and ignored. */
  breakLayout(): void {
    if (!this.#isFresh) this.breakPage();
  }

  /** `stated`: the number of pages that the document states; null when it states none. */
  writeTo(writer: PartWriter, stated: number | null): void {
    if (this.#isFresh && this.#pages.length > 1) this.#pages.pop();
    const isKnown = stated === null || stated <= this.#pages.length;
    for (const [at, writes] of this.#pages.entries()) {
      if (isKnown) writer.part({ page: at + 1 });
      for (const write of writes) write(writer);
    }
  }
}
