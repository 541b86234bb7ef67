/** A database that work is asked of (`work.ts`), whichever it is. */
import type { TextIndex } from "./text-index.ts";
import type { SqlText, SqlValue, Work } from "./work.ts";

export interface ScrubOptions {
  /** Writes the whole database anew: also what an earlier version left in free pages of SQLite goes. */
  readonly vacuum?: boolean;
}

export interface SqlDatabase {
  readonly texts: TextIndex;
  all<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T[]>;
  get<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T | undefined>;
  run(sql: SqlText, ...values: readonly SqlValue[]): Work<void>;
  /** What `effect` gives, awaited where that is possible. In SQLite it must not be a promise. */
  perform<T>(effect: () => T | Promise<T>): Work<T>;
  /** Runs `work` as one write transaction: kept whole and durable, or not at all. It may be run again from the start. */
  write<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T>;
  /** Removes what deleted rows have left behind in the database's files. Outside any transaction. */
  scrub(options: ScrubOptions, signal?: AbortSignal): Promise<void>;
  /** Runs `work` on one consistent view of the database. It may be run again from the start. */
  read<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T>;
}
