/**
 * Database work that is written once and run by two databases.
 *
 * A function that queries the database is a generator: `const row = yield* db.get(…)`. SQLite answers synchronously and
 * never yields, so a whole transaction runs without interleaving in this process. With PostgreSQL the statement is
 * yielded to the runner of the transaction, which has its own connection and continues with the answer.
 *
 * Statements are SQL that both databases understand, with `?` for values; where they differ, both versions are given.
 */
import { setImmediate } from "node:timers/promises";

export type SqlValue = string | number | Uint8Array | null;

export type SqlText = string | { readonly sqlite: string; readonly postgres: string };

/** A statement for a database. A statement whose result is `nothing` may be sent later, together with others. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly gives: "rows" | "nothing";
}

/** Other work that must finish before the transaction continues, such as removing bytes of a blob. */
export interface Effect {
  readonly effect: () => unknown;
}

/** Lets other work of this process run. In SQLite a read continues in another transaction; a write is not split. */
export const PAUSE: Effect = { effect: () => setImmediate() };

export type Work<T> = Generator<Statement | Effect, T, unknown>;
