/**
 * Wakes followers when their conversation has new events.
 *
 * Appends of this process wake the followers of that conversation at once. Appends of other processes change SQLite's
 * `data_version`, which is polled every `pollMs` while a follower waits (a few microseconds each time); when it has
 * changed, one query finds the conversations with news. A change wakes only the followers that it concerns: a follower
 * in another process sees an event `pollMs` after its commit at the latest, plus the time to read it.
 */
import type { ChangeFeed } from "../sql/change-feed.ts";
import { runNow } from "../sql/run-now.ts";
import type { Database } from "./database.ts";

interface Waiter {
  /** The last event that the follower has seen. */
  readonly after: number;
  readonly wake: () => void;
}

export class PollingFeed implements ChangeFeed {
  readonly #db: Database;
  readonly #pollMs: number;
  readonly #waiters = new Map<number, Set<Waiter>>();
  #dataVersion: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(db: Database, pollMs: number) {
    this.#db = db;
    this.#pollMs = pollMs;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  notify(conversation: number): void {
    for (const { wake } of [...(this.#waiters.get(conversation) ?? [])]) wake();
  }

  /** Wakes the followers of every conversation that has new events or no longer exists. */
  notifyConcerned(): void {
    const lastSeqs = this.#lastSeqs([...this.#waiters.keys()]);
    for (const [conversation, waiters] of [...this.#waiters])
      for (const { after, wake } of [...waiters]) if (hasNews(lastSeqs, conversation, after)) wake();
  }

  async wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isOver = () => this.#closed || signal?.aborted === true;
    // In this order: commits after this check of the version are found by the next check, all others by this query.
    this.#poll();
    if (!isOver() && !hasNews(this.#lastSeqs([conversation]), conversation, after))
      await this.#sleep(conversation, after, signal);
    return !isOver();
  }

  close(): void {
    this.#closed = true;
    for (const waiters of [...this.#waiters.values()]) for (const { wake } of [...waiters]) wake();
  }

  #sleep(conversation: number, after: number, signal: AbortSignal | undefined): Promise<void> {
    this.#timer ??= setInterval(() => this.#poll(), this.#pollMs);
    const waiters = this.#waiters.get(conversation) ?? new Set<Waiter>();
    this.#waiters.set(conversation, waiters);
    return new Promise<void>((resolve) => {
      const waiter: Waiter = {
        after,
        wake: () => {
          waiters.delete(waiter);
          if (waiters.size === 0) this.#waiters.delete(conversation);
          if (this.#waiters.size === 0) this.#stopPolling();
          signal?.removeEventListener("abort", waiter.wake);
          resolve();
        },
      };
      waiters.add(waiter);
      signal?.addEventListener("abort", waiter.wake, { once: true });
    });
  }

  #poll(): void {
    if (this.#closed) return;
    const seen = this.#seeVersion();
    const changed = seen === null || seen !== this.#dataVersion;
    this.#dataVersion = seen;
    if (changed) this.notifyConcerned();
  }

  /** Null when the database cannot answer. Followers are then woken, and their own reads wait or report the error. */
  #seeVersion(): number | null {
    try {
      return runNow(this.#db.get<{ data_version: number }>("PRAGMA data_version"))?.data_version ?? null;
    } catch {
      return null;
    }
  }

  /** The last event of each existing conversation; null when the database cannot answer, as above. */
  #lastSeqs(conversations: readonly number[]): Map<number, number> | null {
    if (conversations.length === 0) return new Map();
    try {
      const rows = runNow(
        this.#db.all<{ id: number; last_seq: number }>(
          "SELECT c.id, c.last_seq FROM json_each(?) asked JOIN conversations c ON c.id = asked.value WHERE c.stage = 0",
          JSON.stringify(conversations),
        ),
      );
      return new Map(rows.map(({ id, last_seq }) => [id, last_seq]));
    } catch {
      return null;
    }
  }

  #stopPolling(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}

function hasNews(lastSeqs: ReadonlyMap<number, number> | null, conversation: number, after: number): boolean {
  const lastSeq = lastSeqs?.get(conversation);
  return lastSeq === undefined || lastSeq > after;
}
