/**
 * better-sqlite3's interface, as far as the checkpointer uses it, over node:sqlite: the checkpointer takes any database
 * object, and better-sqlite3's native addon would have to be compiled. better-sqlite3 and node:sqlite call the same C
 * library, statement by statement. Statements are cached by their text, which better-sqlite3 does not do: the cache
 * saves the checkpointer work.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

export type SaverDatabase = ConstructorParameters<typeof SqliteSaver>[0];

type Values = readonly (SQLInputValue | undefined)[];

class AdaptedStatement {
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
  }

  run(...values: Values): unknown {
    return this.#statement.run(...bind(values));
  }

  get(...values: Values): unknown {
    return withBuffers(this.#statement.get(...bind(values)));
  }

  all(...values: Values): unknown[] {
    return this.#statement.all(...bind(values)).map(withBuffers);
  }

  *iterate(...values: Values): Generator<unknown> {
    for (const row of this.#statement.iterate(...bind(values))) yield withBuffers(row);
  }
}

export class AdaptedDatabase {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, AdaptedStatement>();

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
  }

  prepare(sql: string): AdaptedStatement {
    const known = this.#statements.get(sql) ?? new AdaptedStatement(this.#db.prepare(sql));
    this.#statements.set(sql, known);
    return known;
  }

  exec(sql: string): this {
    this.#db.exec(sql);
    return this;
  }

  pragma(source: string): unknown[] {
    return this.#db.prepare(`PRAGMA ${source}`).all();
  }

  transaction<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return (...args) => {
      this.#db.exec("BEGIN");
      try {
        const result = work(...args);
        this.#db.exec("COMMIT");
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
        throw error;
      }
    };
  }

  close(): this {
    this.#db.close();
    return this;
  }
}

/** The interface is the addon's whole type; the checkpointer uses the methods above. */
export function asSaverDatabase(database: AdaptedDatabase): SaverDatabase {
  return database as unknown as SaverDatabase;
}

/** better-sqlite3 binds `undefined` as NULL. */
function bind(values: Values): SQLInputValue[] {
  return values.map((value) => value ?? null);
}

/** better-sqlite3 answers with Buffers, whose text the checkpointer reads with `toString()`. */
function withBuffers<T>(row: T): T {
  if (row === null || typeof row !== "object") return row;
  for (const [name, value] of Object.entries(row))
    if (value instanceof Uint8Array)
      (row as Record<string, unknown>)[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return row;
}
