/**
 * Publishes the transient state of turns in this process to followers of other processes: progress of tools, and
 * waiting for the model. Of each item, only the latest state is sent, at most a few times a second. States are repeated
 * from time to time, for followers that join later or missed one.
 */
import type { ConversationKey } from "@cairn/store";
import type { GoingItem } from "../../live/live-item.ts";

export interface GoingOnParts {
  /** Publishes to the other processes. Must not throw. */
  readonly tell: (items: readonly { readonly key: ConversationKey; readonly item: GoingItem }[]) => Promise<void>;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
}

interface Going {
  readonly key: ConversationKey;
  readonly item: GoingItem;
  toldAt: number;
}

const TICK_MS = 250;
const REPEAT_MS = 3_000;
/** Maximum number of states that are published; the others reach only followers in this process. */
const MAX_ITEMS = 500;
const MAX_TEXT_LENGTH = 500;

export class GoingOn {
  readonly #parts: GoingOnParts;
  readonly #going = new Map<string, Going>();
  #timer: NodeJS.Timeout | null = null;
  #isTelling = false;

  constructor(parts: GoingOnParts) {
    this.#parts = parts;
  }

  /**
   * `name` identifies the item in all conversations. Null ends the item; all followers learn the end from the journal.
   */
  note(name: string, key: ConversationKey, item: GoingItem | null): void {
    if (item === null) this.#going.delete(name);
    else if (this.#going.has(name) || this.#going.size < MAX_ITEMS)
      this.#going.set(name, { key, item: shorten(item), toldAt: Number.NEGATIVE_INFINITY });
    if (this.#going.size === 0) this.close();
    else this.#timer ??= setInterval(() => void this.#tick(), TICK_MS).unref();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #tick(): Promise<void> {
    // Collects items while the database is slow, and sends them after its answer.
    if (this.#isTelling) return;
    const now = this.#parts.now();
    const due = [...this.#going.values()].filter(({ toldAt }) => now - toldAt >= REPEAT_MS);
    if (due.length === 0) return;
    for (const going of due) going.toldAt = now;
    this.#isTelling = true;
    try {
      await this.#parts.tell(due);
    } finally {
      this.#isTelling = false;
    }
  }
}

function shorten(item: GoingItem): GoingItem {
  const cut = (text: string) => (text.length <= MAX_TEXT_LENGTH ? text : text.slice(0, MAX_TEXT_LENGTH).toWellFormed());
  switch (item.type) {
    case "progress":
      return { ...item, text: cut(item.text) };
    case "waiting":
      return { ...item, reason: cut(item.reason) };
    case "compacting":
      return item;
  }
}
