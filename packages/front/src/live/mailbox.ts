/**
 * The queue of one follower, with a maximum size. A follower that reads too slowly loses the queued items, learns about
 * it, and reconnects by seq. A single item always fits, whatever its size.
 */
import type { LiveItem } from "./live-item.ts";

const MAX_CHARACTERS = 1_000_000;

export class Mailbox {
  #items: LiveItem[] = [];
  #characters = 0;
  #wake: (() => void) | null = null;
  #lagging = false;
  #closed = false;

  get isLagging(): boolean {
    return this.#lagging;
  }

  /** `size`: the characters of the item. */
  put(item: LiveItem, size: number): void {
    if (this.#lagging || this.#closed) return;
    if (this.#characters > 0 && this.#characters + size > MAX_CHARACTERS) {
      this.#lagging = true;
      this.#items = [];
    } else {
      this.#items.push(item);
      this.#characters += size;
    }
    this.#wake?.();
  }

  /** Marks that no more items will be added. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** Removes and returns the queued items. */
  take(): readonly LiveItem[] {
    const items = this.#items;
    this.#items = [];
    this.#characters = 0;
    return items;
  }

  /** Waits for items; null when it is closed and empty, or overflowed. */
  async wait(): Promise<readonly LiveItem[] | null> {
    while (this.#items.length === 0 && !this.#closed && !this.#lagging)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#wake = null;
    return this.#items.length === 0 ? null : this.take();
  }
}
