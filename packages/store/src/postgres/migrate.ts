/** Brings a database to the newest version this program knows, safe when several programs start at once. */
import type pg from "pg";
import { storeError } from "../contract/errors.ts";
import { MIGRATIONS } from "./schema.ts";

/** Any number will do, as long as it is always the same. */
const LOCK = 4_201_774;

export async function migrate(client: pg.ClientBase): Promise<void> {
  const before = await standing(client);
  refuseNewer(before);
  if (before.version >= MIGRATIONS.length) return;
  await client.query("BEGIN");
  try {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await client.query(
      "CREATE TABLE IF NOT EXISTS cairn_schema (version INTEGER NOT NULL, compatible INTEGER NOT NULL)",
    );
    // Somebody else may have been at it while this one waited for the lock.
    const now = await standing(client);
    refuseNewer(now);
    const missing = MIGRATIONS.slice(now.version);
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

interface Standing {
  readonly version: number;
  readonly compatible: number;
}

const NEW: Standing = { version: 0, compatible: 0 };

async function standing(client: pg.ClientBase): Promise<Standing> {
  const { rows: tables } = await client.query("SELECT to_regclass('cairn_schema') IS NOT NULL AS known");
  if (tables[0]?.known !== true) return NEW;
  const { rows } = await client.query<Standing>("SELECT version, compatible FROM cairn_schema");
  return rows[0] ?? NEW;
}

function refuseNewer({ version, compatible }: Standing): void {
  if (compatible > MIGRATIONS.length)
    throw storeError(
      "newer_version",
      `The database has version ${version}, which this program (version ${MIGRATIONS.length}) cannot use. Upgrade it.`,
      { version, known: MIGRATIONS.length },
    );
}
