/**
 * What is told from the whole of a journal is kept for a while, with how far it was read: asking again costs what has
 * happened since, not the conversation. Of the conversations that were asked about last, so many are kept.
 */
import { type ConversationKey, type ConversationStore, type StoredEvent, scopeKey } from "@cairn/store";

/** What is kept of a conversation of thousands of blocks is a few megabytes. */
const MOST_KEPT = 16;
const PAGE = 1_000;

interface Kept<T> {
  /** Tells conversations apart that had one id one after the other. */
  readonly createdAt: number;
  readonly value: T;
  seq: number;
  reading: Promise<void>;
}

export interface Telling<T> {
  readonly begin: () => T;
  /** Adds what an event says; called once for each, in order. */
  readonly add: (value: T, stored: StoredEvent) => void;
}

export class JournalMemo<T> {
  readonly #store: ConversationStore;
  readonly #telling: Telling<T>;
  /** The one that was asked about last stands last. */
  readonly #kept = new Map<string, Kept<T>>();

  constructor(store: ConversationStore, telling: Telling<T>) {
    this.#store = store;
    this.#telling = telling;
  }

  /** All there is to tell now. It goes on to grow: whoever asked takes out of it what is needed. */
  async read(key: ConversationKey, signal?: AbortSignal): Promise<T> {
    const { created_at: createdAt, last_seq } = await this.#store.getConversation(key);
    const name = scopeKey(key);
    const known = this.#kept.get(name);
    const isKnown = known !== undefined && known.createdAt === createdAt && known.seq <= last_seq;
    const kept = isKnown ? known : { createdAt, value: this.#telling.begin(), seq: 0, reading: Promise.resolve() };
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#kept.delete(oldest);
    }
    // One reads at a time; who was aborted has added what it read, and the next goes on from there.
    const before = kept.reading;
    const reading = before.then(() => this.#goOn(key, kept, signal));
    kept.reading = reading.catch(() => undefined);
    try {
      await reading;
    } catch (error) {
      // What could not be told to its end is told anew.
      if (signal?.aborted !== true && this.#kept.get(name) === kept) this.#kept.delete(name);
      throw error;
    }
    return kept.value;
  }

  async #goOn(key: ConversationKey, kept: Kept<T>, signal: AbortSignal | undefined): Promise<void> {
    const options = { limit: PAGE, ...(signal === undefined ? {} : { signal }) };
    for (;;) {
      const events = await this.#store.readEvents(key, { ...options, after: kept.seq });
      for (const stored of events) {
        kept.seq = stored.seq;
        this.#telling.add(kept.value, stored);
      }
      if (events.length < PAGE) return;
    }
  }
}
