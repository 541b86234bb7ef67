/** The database that runs work (`work.ts`), SQLite or PostgreSQL. */
import type { TextIndex } from "./text-index.ts";
import type { SqlText, SqlValue, Work } from "./work.ts";

export interface ScrubOptions {
  /** Rewrites the whole database, which also removes text that an earlier version left in free pages of SQLite. */
  readonly vacuum?: boolean;
}

export interface SqlDatabase {
  readonly texts: TextIndex;
  all<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T[]>;
  get<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T | undefined>;
  run(sql: SqlText, ...values: readonly SqlValue[]): Work<void>;
  /** The result of `effect`, awaited where possible. With SQLite, `effect` must not be a promise. */
  perform<T>(effect: () => T | Promise<T>): Work<T>;
  /** Runs `work` as one write transaction, committed and durable or not at all, perhaps again from the start. */
  write<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T>;
  /** Removes remains of deleted rows from the database's files. Runs outside any transaction. */
  scrub(options: ScrubOptions, signal?: AbortSignal): Promise<void>;
  /** Runs `work` on one consistent view of the database, perhaps again from the start. */
  read<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T>;
}
