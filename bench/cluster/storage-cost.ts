/**
 * The cost of a turn of eight rounds in PostgreSQL at a given length of the conversation: milliseconds, and bytes, which
 * are counted in two ways.
 *
 * - `stored`: by how much tables grow, including indexes and TOAST, divided by the number of turns. Tables and indexes
 *   grow by pages, and words wait in a list beside the full-text index until the list is full. So the list is emptied
 *   before and after, dead rows are removed every few turns as the server's own vacuum would, and many turns are
 *   measured together.
 * - `rows`: the bytes of the rows that did not exist before, as they are stored on disk, without indexes, page headers
 *   and free space. This number is exact to the byte.
 *
 * The write-ahead log is not counted: after each checkpoint it contains whole pages, so its size depends more on the
 * distance between checkpoints than on the turn.
 */
import { makeClient, warnOfLoss } from "@cairn/store/postgres";
import type pg from "pg";
import { ROUNDS_PER_TURN } from "../store/conversation-script.ts";
import type { Subject } from "./stored-subjects.ts";

export interface TurnCost {
  readonly ms: number;
  readonly storedBytes: number;
  readonly rowBytes: number;
}

/** Number of turns between two sweeps. */
const SWEEP_TURNS = 10;

export async function measureTurns(
  database: string,
  subject: Subject,
  { behind, measured }: { readonly behind: number; readonly measured: number },
): Promise<TurnCost> {
  await subject.growTo(behind * ROUNDS_PER_TURN);
  await sweep(database);
  const before = await sizesOf(database);
  let ms = 0;
  for (let turn = 0; turn < measured; turn++) {
    const started = performance.now();
    for (let round = 0; round < ROUNDS_PER_TURN; round++) await subject.round();
    ms += performance.now() - started;
    if (turn % SWEEP_TURNS === SWEEP_TURNS - 1) await sweep(database);
  }
  await sweep(database);
  const after = await sizesOf(database);
  return {
    ms: ms / measured,
    storedBytes: (after.stored - before.stored) / measured,
    rowBytes: (after.rows - before.rows) / measured,
  };
}

async function sweep(database: string): Promise<void> {
  await asking(database, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_am a ON a.oid = c.relam
        WHERE a.amname = 'gin' AND c.relkind = 'i' AND c.relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows) await client.query("SELECT gin_clean_pending_list($1::regclass)", [name]);
    await client.query("VACUUM");
  });
}

async function sizesOf(database: string): Promise<{ readonly stored: number; readonly rows: number }> {
  return await asking(database, async (client) => {
    const { rows: tables } = await client.query<{ name: string; stored: number; columns: string }>(
      `SELECT c.oid::regclass::text AS name, pg_total_relation_size(c.oid)::float8 AS stored,
          string_agg(format('coalesce(pg_column_size(%I), 0)', a.attname), ' + ') AS columns
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY c.oid`,
    );
    let rows = 0;
    for (const { name, columns } of tables) {
      const { rows: sums } = await client.query(`SELECT coalesce(sum(${columns}), 0)::float8 AS bytes FROM ${name}`);
      rows += Number(sums[0]?.bytes);
    }
    return { stored: tables.reduce((sum, table) => sum + table.stored, 0), rows };
  });
}

async function asking<T>(database: string, ask: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = makeClient({ connectionString: database }, warnOfLoss);
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}
