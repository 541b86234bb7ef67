/**
 * Tells followers that there may be something new.
 *
 * Appends of this process wake them at once. Those of other processes show in SQLite's `data_version`, which is asked
 * for every `pollMs` while somebody waits (a few microseconds each time): a follower in another process sees an event
 * `pollMs` after its commit at the latest, plus the time to read it.
 */
import type { Database } from "./database.ts";

interface Waiter {
  readonly wake: () => void;
}

export class ChangeFeed {
  readonly #db: Database;
  readonly #pollMs: number;
  readonly #waiters = new Set<Waiter>();
  #version = 0;
  #dataVersion: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(db: Database, pollMs: number) {
    this.#db = db;
    this.#pollMs = pollMs;
  }

  /** A mark to take before reading; `wait` returns at once when anything changed after it. */
  mark(): number {
    this.#poll();
    return this.#version;
  }

  notify(): void {
    this.#version++;
    for (const waiter of [...this.#waiters]) waiter.wake();
  }

  /** Until something changed, the signal aborts or the feed closes; false in the last two cases. */
  async wait(mark: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#version === mark && !this.#closed && signal?.aborted !== true) {
      this.#timer ??= setInterval(() => this.#poll(), this.#pollMs);
      await new Promise<void>((resolve) => {
        const waiter: Waiter = {
          wake: () => {
            this.#waiters.delete(waiter);
            signal?.removeEventListener("abort", waiter.wake);
            if (this.#waiters.size === 0) this.#stopPolling();
            resolve();
          },
        };
        this.#waiters.add(waiter);
        signal?.addEventListener("abort", waiter.wake, { once: true });
      });
    }
    return !this.#closed && signal?.aborted !== true;
  }

  close(): void {
    this.#closed = true;
    this.notify();
    this.#stopPolling();
  }

  #poll(): void {
    if (this.#closed) return;
    const seen = this.#seeVersion();
    const changed = seen === null || (this.#dataVersion !== null && seen !== this.#dataVersion);
    this.#dataVersion = seen;
    if (changed) this.notify();
  }

  /** Null when the database cannot say: followers are woken, and their own reads wait for it or report what is wrong. */
  #seeVersion(): number | null {
    try {
      return this.#db.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? null;
    } catch {
      return null;
    }
  }

  #stopPolling(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }
}
