/**
 * What waits for one follower. It holds so much and no more: a follower that reads too slowly loses what waits, is told
 * so, and comes back by seq. One item always fits, however large it is.
 */
import { frameOf } from "./frame.ts";
import type { LiveItem } from "./live-item.ts";

const MOST_CHARACTERS = 1_000_000;

export class Mailbox {
  #items: LiveItem[] = [];
  #characters = 0;
  #wake: (() => void) | null = null;
  #lagging = false;
  #closed = false;

  get isLagging(): boolean {
    return this.#lagging;
  }

  put(item: LiveItem): void {
    if (this.#lagging || this.#closed) return;
    const size = frameOf(item).length;
    if (this.#characters > 0 && this.#characters + size > MOST_CHARACTERS) {
      this.#lagging = true;
      this.#items = [];
    } else {
      this.#items.push(item);
      this.#characters += size;
    }
    this.#wake?.();
  }

  /** Nothing more will come. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Takes what waits, at once. */
  take(): readonly LiveItem[] {
    const items = this.#items;
    this.#items = [];
    this.#characters = 0;
    return items;
  }

  /** Waits until there is something; null when there is nothing and nothing will come, or too much came. */
  async wait(): Promise<readonly LiveItem[] | null> {
    while (this.#items.length === 0 && !this.#closed && !this.#lagging)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = null;
    return this.#items.length === 0 ? null : this.take();
  }
}
