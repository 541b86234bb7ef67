/**
 * Wakes followers when their conversation has new events.
 *
 * Appends of this process wake the followers of that conversation at once. Appends of other processes change SQLite's
 * `data_version`, which is polled every `pollMs` while a follower waits (a few microseconds each time); when it has
 * changed, one query finds the conversations with new events. A change wakes only the followers that it concerns: a
 * follower in another process sees an event `pollMs` after its commit at the latest, plus the time to read it.
 */
import type { ChangeFeed } from "../sql/change-feed.ts";
import { runNow } from "../sql/run-now.ts";
import { hasNews, type LastSeqs, Waiters } from "../sql/waiters.ts";
import type { Database } from "./database.ts";

export class PollingFeed implements ChangeFeed {
  readonly #db: Database;
  readonly #pollMs: number;
  readonly #waiters = new Waiters();
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
    this.#waiters.wake(conversation);
  }

  /** Wakes the followers of every conversation that has new events or no longer exists. */
  notifyConcerned(): void {
    const { conversations } = this.#waiters;
    this.#waiters.wakeConcerned(conversations, this.#lastSeqs(conversations));
  }

  async wait(conversation: number, after: number, signal: AbortSignal | undefined): Promise<boolean> {
    const isOver = () => this.#closed || signal?.aborted === true;
    // The version is read before the query: the next check finds commits after this one, and the query all others.
    this.#poll();
    if (!isOver() && !hasNews(this.#lastSeqs([conversation]), conversation, after))
      await this.#sleep(conversation, after, signal);
    return !isOver();
  }

  close(): void {
    this.#closed = true;
    this.#waiters.wakeAll();
  }

  async #sleep(conversation: number, after: number, signal: AbortSignal | undefined): Promise<void> {
    this.#timer ??= setInterval(() => this.#poll(), this.#pollMs);
    await this.#waiters.sleep(conversation, after, signal);
    if (!this.#waiters.isEmpty) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #poll(): void {
    if (this.#closed) return;
    const seen = this.#seeVersion();
    const changed = seen === null || seen !== this.#dataVersion;
    this.#dataVersion = seen;
    if (changed) this.notifyConcerned();
  }

  /** Reads the database's version; null when it cannot answer. The followers' own reads report the error. */
  #seeVersion(): number | null {
    try {
      return runNow(this.#db.get<{ data_version: number }>("PRAGMA data_version"))?.data_version ?? null;
    } catch {
      return null;
    }
  }

  /** The last event of each existing conversation; null when the database cannot answer. */
  #lastSeqs(conversations: readonly number[]): LastSeqs {
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
}
