/**
 * Database work that is written once and run by two databases.
 *
 * A function that asks the database is a generator: `const row = yield* db.get(…)`. SQLite answers on the spot and never
 * gives up control, so that a whole transaction runs without anything of this process in between. PostgreSQL yields the
 * statement to whoever runs the transaction, on a connection of its own, and goes on with the answer.
 *
 * Statements are the SQL both understand, with `?` for values; where they differ, both texts stand side by side.
 */
export type SqlValue = string | number | Uint8Array | null;

export type SqlText = string | { readonly sqlite: string; readonly postgres: string };

/** A statement on its way to a database. `nothing` may be sent later, together with others. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly gives: "rows" | "nothing";
}

/** Something else that has to happen before the transaction goes on, such as removing bytes it has just let go. */
export interface Effect {
  readonly effect: () => unknown;
}

export type Work<T> = Generator<Statement | Effect, T, unknown>;
