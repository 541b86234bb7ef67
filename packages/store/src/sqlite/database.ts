// biome-ignore-all lint/correctness/useYield: SQLite answers synchronously
/**
 * One connection: prepared statements, transactions and retries.
 *
 * Statements run synchronously, so a transaction never interleaves with other work of this process. A long read is
 * several transactions, with other work between them (`PAUSE`). When another
 * process holds the lock, the wait is asynchronous: SQLite's own (blocking) wait is short, and after it the transaction
 * is tried again from the start until the busy timeout has passed.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeTransaction } from "../contract/before-transaction.ts";
import { storeError } from "../contract/errors.ts";
import { runNow } from "../sql/run-now.ts";
import { SearchIndex } from "../sql/search/search-index.ts";
import type { ScrubOptions, SqlDatabase } from "../sql/sql-database.ts";
import type { TextIndex } from "../sql/text-index.ts";
import { PAUSE, type SqlText, type SqlValue, type Work } from "../sql/work.ts";
import { isBusy, readingSchema, toStoreError } from "./sqlite-error.ts";

/** How long a statement blocks the process while it waits for a lock. */
export const BLOCKING_WAIT_MS = 20;

/** Maximum number of prepared statements, more than the store needs: a guard against SQL made by joining strings. */
const MAX_STATEMENTS = 500;

export class Database implements SqlDatabase {
  readonly texts: TextIndex = new SearchIndex(this);
  readonly #connection: DatabaseSync;
  readonly #busyTimeoutMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #version: number | null = null;

  constructor(connection: DatabaseSync, busyTimeoutMs: number) {
    this.#connection = connection;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  get connection(): DatabaseSync {
    return this.#connection;
  }

  /** After this call, every transaction is rejected if another program has upgraded the database. */
  pinVersion(version: number): void {
    this.#version = version;
  }

  // No query on SQLite yields, because results are available at once.

  *run(sql: SqlText, ...values: readonly SqlValue[]): Work<void> {
    this.#prepare(textOf(sql)).run(...values);
  }

  *get<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T | undefined> {
    return this.#prepare(textOf(sql)).get(...values) as T | undefined;
  }

  *all<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T[]> {
    return this.#prepare(textOf(sql)).all(...values) as T[];
  }

  *perform<T>(effect: () => T | Promise<T>): Work<T> {
    const result = effect();
    if (result instanceof Promise) throw new Error("A SQLite transaction must not wait for other work.");
    return result;
  }

  write<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T> {
    return this.#patiently(() => this.#transaction("BEGIN IMMEDIATE", () => runNow(work())), signal);
  }

  /** Runs `work` in a read transaction. If the work pauses, the transaction ends, and the rest runs in a new one. */
  read<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T> {
    return this.#patiently(async () => {
      for (const steps = work(); ; signal?.throwIfAborted()) {
        const step = this.#transaction("BEGIN", () => steps.next());
        if (step.done === true) return step.value;
        if (step.value !== PAUSE)
          throw new Error("Work inside a SQLite transaction must not wait for anything except `PAUSE`.");
        await PAUSE.effect();
        await beforeTransaction.getStore()?.();
        if (!this.#connection.isOpen) throw storeError("closed", "The store was closed.");
      }
    }, signal);
  }

  /** Runs statements that SQLite rejects inside a transaction, such as a change of journal mode. */
  outsideTransaction<T>(work: () => T): Promise<T> {
    return this.#patiently(work, undefined);
  }

  /** Removes copies of deleted text in the log, after waiting for its readers. The text itself was overwritten. */
  async scrub({ vacuum = false }: ScrubOptions, signal?: AbortSignal): Promise<void> {
    if (vacuum) await this.#patiently(() => this.#connection.exec("VACUUM"), signal);
    const deadline = performance.now() + this.#busyTimeoutMs;
    while (await this.#patiently(() => this.#isLogInUse(), signal)) {
      if (performance.now() > deadline)
        throw storeError(
          "busy",
          "Another process is reading the database's write-ahead log, so it cannot be truncated. Try again.",
        );
      await sleep(1 + Math.random() * 4);
    }
  }

  #isLogInUse(): boolean {
    const { busy } = this.#connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() ?? {};
    return busy !== 0;
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#connection.close();
  }

  #transaction<T>(begin: string, work: () => T): T {
    this.#prepare(begin).run();
    try {
      this.#checkVersion();
      const result = work();
      this.#prepare("COMMIT").run();
      return result;
    } catch (error) {
      // After some errors, such as a full disk, SQLite has already rolled back.
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** Throws if a newer program has migrated the database while this one runs, because data may mean something else. */
  #checkVersion(): void {
    if (this.#version === null) return;
    const version = Number(this.#prepare("PRAGMA user_version").get()?.user_version);
    if (version !== this.#version)
      throw storeError(
        "newer_version",
        `Another program upgraded the database to version ${version} while this program was running. Upgrade or restart this program.`,
        { version, known: this.#version },
      );
  }

  async #patiently<T>(attempt: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    await beforeTransaction.getStore()?.();
    const deadline = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      if (!this.#connection.isOpen) throw storeError("closed", "The store was closed.");
      try {
        return await attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
      await sleep(1 + Math.random() * 4);
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
    const statement = readingSchema(() => this.#connection.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}

function textOf(sql: SqlText): string {
  return typeof sql === "string" ? sql : sql.sqlite;
}
