/**
 * Transactions on PostgreSQL, each on its own connection.
 *
 * Statements without a result are held back and sent together in one message, before the next query or with the commit:
 * an append costs four messages, however many rows it writes. A transaction that fails because of another transaction,
 * or whose server goes away before the commit was sent, is retried from the start until the timeout. If a commit was
 * sent but not answered, its outcome is unknown: the store reports an error and does not retry. A transaction that only
 * read is retried.
 *
 * When a program stops in the middle of a transaction, or its machine disappears, the conversation's row stays locked
 * until PostgreSQL ends the transaction. A caller that waits for a lock returns its connection from time to time, so
 * that callers that wait for one conversation do not block the others.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { backOff, jittered } from "@cairn/timeline";
import type pg from "pg";
import { storeError } from "../contract/errors.ts";
import { SearchIndex } from "../sql/search/search-index.ts";
import type { ScrubOptions, SqlDatabase } from "../sql/sql-database.ts";
import type { TextIndex } from "../sql/text-index.ts";
import type { Effect, SqlText, SqlValue, Statement, Work } from "../sql/work.ts";
import { END_WHEN_IDLE, HOLD_SCHEMA, READ_VERSION, refuseNewer, type SchemaVersion } from "./migrate.ts";
import { isContention, isUnheard, isUnknownName, isUnreachable, toStoreError } from "./postgres-error.ts";
import { decodeText, encodeValue, inlineValues, numberedText } from "./statement-text.ts";

/** Pending statements are sent when they exceed this many characters, so that a long import does not accumulate. */
const MAX_WAITING_CHARS = 4_000_000;

/** The longest wait before a transaction is retried. */
const MAX_WAIT_MS = 500;

const LIMITS = `${END_WHEN_IDLE}; SET LOCAL lock_timeout = 2000`;

/** The first message of each transaction, including the check of the version. */
const BEGIN = {
  write: `BEGIN ISOLATION LEVEL READ COMMITTED; ${LIMITS}; ${HOLD_SCHEMA}; ${READ_VERSION}`,
  read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${LIMITS}; ${READ_VERSION}`,
};

type Purpose = keyof typeof BEGIN;

const OWN_TABLES = "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()";

export class PostgresDatabase implements SqlDatabase {
  readonly texts: TextIndex = new SearchIndex(this);
  readonly #pool: pg.Pool;
  readonly #patienceMs: number;
  readonly #endPool: () => Promise<void>;
  #closed = false;

  constructor(pool: pg.Pool, patienceMs: number, endPool: () => Promise<void>) {
    this.#pool = pool;
    this.#patienceMs = patienceMs;
    this.#endPool = endPool;
  }

  *all<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T[]> {
    return (yield { sql: textOf(sql), values, gives: "rows" }) as T[];
  }

  *get<T>(sql: SqlText, ...values: readonly SqlValue[]): Work<T | undefined> {
    return ((yield { sql: textOf(sql), values, gives: "rows" }) as T[])[0];
  }

  *run(sql: SqlText, ...values: readonly SqlValue[]): Work<void> {
    yield { sql: textOf(sql), values, gives: "nothing" };
  }

  *perform<T>(effect: () => T | Promise<T>): Work<T> {
    return (yield { effect }) as T;
  }

  write<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T> {
    return this.#patiently("write", work, signal);
  }

  read<T>(work: () => Work<T>, signal?: AbortSignal): Promise<T> {
    return this.#patiently("read", work, signal);
  }

  /** Removes dead rows and their index entries. A vacuum waits for no one and blocks no one. */
  async scrub({ vacuum = false }: ScrubOptions, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const tables = await this.read(() => this.all<{ name: string }>(OWN_TABLES), signal);
    const names = tables.map(({ name }) => `"${name}"`).join(", ");
    try {
      await this.#pool.query(`VACUUM ${vacuum ? "(FULL) " : ""}${names}`);
    } catch (error) {
      throw toStoreError(error);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#endPool();
  }

  async #patiently<T>(purpose: Purpose, work: () => Work<T>, signal: AbortSignal | undefined): Promise<T> {
    const deadline = performance.now() + this.#patienceMs;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      if (this.#closed) throw storeError("closed", "The store was closed.");
      try {
        return await this.#attempt(purpose, work);
      } catch (error) {
        const mayPass = isContention(error) || isUnreachable(error);
        if (!mayPass || performance.now() > deadline) throw toStoreError(error);
      }
      await sleep(jittered(backOff(attempt, 1, MAX_WAIT_MS), Math.random));
    }
  }

  async #attempt<T>(purpose: Purpose, work: () => Work<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | null = null;
    // Receives the error of a connection that is lost between two statements, so that it does not return to the pool.
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    const transaction = new Transaction(client, purpose);
    try {
      await transaction.begin();
      const result = await transaction.run(work());
      await transaction.commit();
      return result;
    } catch (error) {
      broken ??= transaction.lost;
      // A lost connection needs no rollback.
      if (broken === null)
        await client.query("ROLLBACK").catch((failure: Error) => {
          broken = failure;
        });
      // A reader takes no lock. If a name is unknown, another program may have migrated after the check of the version.
      if (isUnknownName(error) && broken === null) await lookAtVersion(client);
      throw error;
    } finally {
      client.off("error", onError);
      client.release(broken ?? undefined);
    }
  }
}

async function lookAtVersion(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<SchemaVersion>(READ_VERSION);
  if (rows[0] !== undefined) refuseNewer(rows[0]);
}

class Transaction {
  readonly #client: pg.PoolClient;
  readonly #purpose: Purpose;
  #waiting: string[] = [];
  #waitingChars = 0;
  #lost: Error | null = null;

  constructor(client: pg.PoolClient, purpose: Purpose) {
    this.#client = client;
    this.#purpose = purpose;
  }

  /** Why the connection is unusable; null while it works. */
  get lost(): Error | null {
    return this.#lost;
  }

  async begin(): Promise<void> {
    const version = (await this.#send<SchemaVersion>(BEGIN[this.#purpose]))?.rows[0];
    if (version !== undefined) refuseNewer(version);
  }

  async run<T>(work: Work<T>): Promise<T> {
    let step = work.next();
    while (step.done !== true) {
      try {
        step = work.next(await this.#answer(step.value));
      } catch (error) {
        step = work.throw(error);
      }
    }
    return step.value;
  }

  async commit(): Promise<void> {
    const waiting = this.#takeWaiting();
    let ended: pg.QueryResult | undefined;
    try {
      ended = await this.#send([...waiting, "COMMIT"].join(";\n"));
    } catch (error) {
      // If the server reports an error, the commit had no effect. If the answer was lost, it may have had one.
      if (this.#purpose === "read" || !isUnreachable(error) || isUnheard(error)) throw error;
      throw storeError(
        "io",
        "The connection to PostgreSQL was lost during a commit, so the write may or may not have been saved. Load the conversation again.",
      );
    }
    // The commit of a failed transaction rolls it back, which PostgreSQL does not report as an error.
    if (ended?.command !== "COMMIT")
      throw storeError("io", "PostgreSQL rolled the transaction back. Nothing was saved; try again.");
  }

  async #answer(step: Statement | Effect): Promise<unknown> {
    if ("effect" in step) return await step.effect();
    if (step.gives === "nothing") {
      const text = inlineValues(step);
      this.#waiting.push(text);
      this.#waitingChars += text.length;
      if (this.#waitingChars > MAX_WAITING_CHARS) await this.#flush();
      return undefined;
    }
    await this.#flush();
    const { rows } = await this.#orLost(this.#client.query(numberedText(step.sql), step.values.map(encodeValue)));
    for (const row of rows) decodeRow(row);
    return rows;
  }

  async #flush(): Promise<void> {
    const waiting = this.#takeWaiting();
    if (waiting.length > 0) await this.#send(waiting.join(";\n"));
  }

  /** Sends statements without parameters in one message; returns the result of the last one. */
  async #send<Row extends pg.QueryResultRow>(sql: string): Promise<pg.QueryResult<Row> | undefined> {
    // Several statements return several results, which the driver's types do not know.
    const results: unknown = await this.#orLost(this.#client.query<Row>(sql));
    return Array.isArray(results) ? results.at(-1) : (results as pg.QueryResult<Row>);
  }

  async #orLost<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof Error && isUnreachable(error)) this.#lost = error;
      throw error;
    }
  }

  #takeWaiting(): string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    return waiting;
  }
}

function decodeRow(row: Record<string, unknown>): void {
  for (const [column, value] of Object.entries(row)) if (typeof value === "string") row[column] = decodeText(value);
}

function textOf(sql: SqlText): string {
  return typeof sql === "string" ? sql : sql.postgres;
}
