/**
 * One connection: prepared statements, transactions, and patience.
 *
 * Statements run synchronously, so that a transaction never interleaves with anything else of this process. When
 * another process holds the lock, the wait is asynchronous: SQLite's own (blocking) wait is short, and after it the
 * transaction is tried again from the start until the busy timeout has passed.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { storeError } from "../contract/errors.ts";
import { isBusy, readingSchema, toStoreError } from "./sqlite-error.ts";

/** How long a statement blocks the process while it waits for a lock. */
export const BLOCKING_WAIT_MS = 20;

/** More than the store ever prepares; a guard against SQL made by joining strings. */
const MOST_STATEMENTS = 500;

export type Row = Record<string, unknown>;

export class Database {
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

  /** From here on every transaction is refused once another program has brought the database to another version. */
  pinVersion(version: number): void {
    this.#version = version;
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** The rowid the last insert of this connection got. */
  insert(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  get<T = Row>(sql: string, ...values: SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  all<T = Row>(sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  /** Runs `work` as one write transaction: kept whole and durable, or not at all. */
  write<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    return this.#patiently(() => this.#transaction("BEGIN IMMEDIATE", work), signal);
  }

  /** Runs `work` on one consistent view of the database. */
  read<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    return this.#patiently(() => this.#transaction("BEGIN", work), signal);
  }

  /** Runs what SQLite refuses inside a transaction, such as a change of journal mode. */
  outsideTransaction<T>(work: () => T): Promise<T> {
    return this.#patiently(work, undefined);
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
      // SQLite has rolled back by itself after some errors (a full disk, for one).
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  /** A newer program may migrate while this one runs; what this one would read or write could mean something else then. */
  #checkVersion(): void {
    if (this.#version === null) return;
    const version = Number(this.get("PRAGMA user_version")?.user_version);
    if (version !== this.#version)
      throw storeError(
        "newer_version",
        `The database was brought to version ${version} while this program was running. Upgrade or restart the program.`,
        { version, known: this.#version },
      );
  }

  async #patiently<T>(attempt: () => T, signal: AbortSignal | undefined): Promise<T> {
    const deadline = performance.now() + this.#busyTimeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      if (!this.#connection.isOpen) throw storeError("closed", "The store was closed.");
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw toStoreError(error);
      }
      await sleep(1 + Math.random() * 4);
    }
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear();
    const statement = readingSchema(() => this.#connection.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}
