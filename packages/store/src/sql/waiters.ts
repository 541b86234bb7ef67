/** Followers that wait for new events of their conversations. */
import { addAbortListener } from "node:events";

interface Waiter {
  /** The last event that the follower has seen. */
  readonly after: number;
  readonly wake: () => void;
}

/** The last seq of each existing conversation that was asked for; null when the database cannot answer. */
export type LastSeqs = ReadonlyMap<number, number> | null;

export class Waiters {
  readonly #waiting = new Map<number, Set<Waiter>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  get conversations(): number[] {
    return [...this.#waiting.keys()];
  }

  /** Sleeps until the follower is woken or the signal aborts. */
  async sleep(conversation: number, after: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiting.get(conversation) ?? new Set<Waiter>();
    this.#waiting.set(conversation, waiters);
    const waiter: Waiter = { after, wake: resolve };
    waiters.add(waiter);
    using _ = signal && addAbortListener(signal, () => resolve());
    await promise;
    waiters.delete(waiter);
    if (waiters.size === 0 && this.#waiting.get(conversation) === waiters) this.#waiting.delete(conversation);
  }

  wake(conversation: number): void {
    for (const { wake } of this.#waiting.get(conversation) ?? []) wake();
  }

  wakeAll(): void {
    for (const conversation of this.#waiting.keys()) this.wake(conversation);
  }

  /** Wakes the followers of those conversations that have new events or no longer exist. */
  wakeConcerned(conversations: readonly number[], lastSeqs: LastSeqs): void {
    for (const conversation of conversations)
      for (const { after, wake } of this.#waiting.get(conversation) ?? [])
        if (hasNews(lastSeqs, conversation, after)) wake();
  }
}

export function hasNews(lastSeqs: LastSeqs, conversation: number, after: number): boolean {
  const lastSeq = lastSeqs?.get(conversation);
  return lastSeq === undefined || lastSeq > after;
}
