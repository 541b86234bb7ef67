/** Caches data derived from the journals of recent conversations, so that the next query reads only new events. */
import { type ConversationKey, type ConversationStore, type StoredEvent, scopeKey } from "@cairn/store";
import { missedEvents } from "cairn-agent/turns";

/** The data of a conversation with thousands of blocks takes a few megabytes. */
const MAX_KEPT = 16;

interface Kept<T> {
  /** The creation of the conversation, which distinguishes it from a deleted one with the same id. */
  readonly createdAt: number;
  readonly value: T;
  seq: number;
  reading: Promise<void>;
}

export interface Telling<T> {
  readonly begin: () => T;
  /** Adds the data of an event; called once for each, in order. */
  readonly add: (value: T, stored: StoredEvent) => void;
}

export class JournalMemo<T> {
  readonly #store: ConversationStore;
  readonly #telling: Telling<T>;
  /** Cached data by conversation. The most recently used conversation comes last. */
  readonly #kept = new Map<string, Kept<T>>();

  constructor(store: ConversationStore, telling: Telling<T>) {
    this.#store = store;
    this.#telling = telling;
  }

  /** The current data. Later reads change the same object, so the caller must copy what it needs. */
  async read(key: ConversationKey, signal?: AbortSignal): Promise<T> {
    const { created_at: createdAt, last_seq } = await this.#store.getConversation(key);
    const name = scopeKey(key);
    const known = this.#kept.get(name);
    const isKnown = known !== undefined && known.createdAt === createdAt && known.seq <= last_seq;
    const kept = isKnown ? known : { createdAt, value: this.#telling.begin(), seq: 0, reading: Promise.resolve() };
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    // One read at a time. After an aborted read, the next one continues behind the events that were already added.
    const before = kept.reading;
    const reading = before.then(() => this.#goOn(key, kept, last_seq, signal));
    kept.reading = reading.catch(() => undefined);
    try {
      await reading;
    } catch (error) {
      // If a read fails, its data is dropped and computed again from the start.
      if (signal?.aborted !== true && this.#kept.get(name) === kept) this.#kept.delete(name);
      throw error;
    }
    return kept.value;
  }

  /** Reads in pages of limited size: a thousand events may take hundreds of megabytes. */
  async #goOn(key: ConversationKey, kept: Kept<T>, upTo: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    for await (const events of missedEvents(this.#store, key, kept.seq, upTo)) {
      for (const stored of events) {
        kept.seq = stored.seq;
        this.#telling.add(kept.value, stored);
      }
      signal?.throwIfAborted();
    }
  }
}
