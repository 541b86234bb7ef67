/**
 * Upgrades a database to the newest version that this program knows. The upgrade is safe when several programs start at
 * once and while older ones use the database.
 *
 * Migrations and write transactions wait for one another, so no transaction sees half a migration. Every transaction
 * checks the version first: a program that is too old for the database is rejected at its next call, before it reads or
 * writes data whose meaning has changed.
 */
import type pg from "pg";
import { storeError } from "../contract/errors.ts";
import { MIGRATIONS, type Migration } from "./schema.ts";

/** Key of the advisory lock. Any constant works. */
const LOCK = 4_201_774;

/** PostgreSQL ends the transaction of a program that stops in the middle of it, before others wait for long. */
export const END_WHEN_IDLE = "SET LOCAL idle_in_transaction_session_timeout = 5000";

/** Prevents other processes from migrating the schema until the write transaction ends. */
export const HOLD_SCHEMA = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;
/** Reads the version; `refuseNewer` takes its rows. */
export const READ_VERSION = "SELECT version, compatible FROM cairn_schema";

export async function migrate(client: pg.ClientBase, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const known = migrations.length;
  const before = await readVersion(client);
  refuseNewer(before, known);
  if (before.version >= known) return;
  await client.query("BEGIN");
  try {
    await client.query(END_WHEN_IDLE);
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS cairn_schema (version INTEGER NOT NULL, compatible INTEGER NOT NULL)",
    );
    // Another program may have migrated while this one waited for the lock.
    const now = await readVersion(client);
    refuseNewer(now, known);
    const missing = migrations.slice(now.version);
    for (const { sql } of missing) await client.query(sql);
    await client.query("DELETE FROM cairn_schema");
    await client.query("INSERT INTO cairn_schema (version, compatible) VALUES ($1, $2)", [
      now.version + missing.length,
      missing.reduce((most, { compatible }) => Math.max(most, compatible), now.compatible),
    ]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

export interface SchemaVersion {
  readonly version: number;
  readonly compatible: number;
}

const NEW: SchemaVersion = { version: 0, compatible: 0 };

async function readVersion(client: pg.ClientBase): Promise<SchemaVersion> {
  const { rows: tables } = await client.query("SELECT to_regclass('cairn_schema') IS NOT NULL AS known");
  if (tables[0]?.known !== true) return NEW;
  const { rows } = await client.query<SchemaVersion>(READ_VERSION);
  return rows[0] ?? NEW;
}

/** `known` is the number of migrations that this program knows. */
export function refuseNewer({ version, compatible }: SchemaVersion, known = MIGRATIONS.length): void {
  if (compatible > known)
    throw storeError(
      "newer_version",
      `The database has schema version ${version}, written by a newer program; this program supports up to version ${known}. Start the newer program instead. No data was lost.`,
      { version, known },
    );
}
