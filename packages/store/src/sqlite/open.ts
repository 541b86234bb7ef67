/**
 * Opens the database file of a data folder and brings it to this program's version.
 *
 * Migrations run in one write transaction that reads `user_version` first: of two processes that start at once, one
 * migrates and the other has nothing left to do. A database from a newer program is not changed.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CairnError } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import { runNow } from "../sql/run-now.ts";
import { BLOCKING_WAIT_MS, Database } from "./database.ts";
import { MIGRATIONS } from "./schema.ts";
import { readingSchema, toStoreError } from "./sqlite-error.ts";

export interface OpenOptions {
  readonly busyTimeoutMs: number;
  readonly sync: "full" | "off";
}

/** "Crn1" in ASCII: marks the file as Cairn's, so that no other program's database is migrated. */
const APPLICATION_ID = 0x43726e31;

export async function openDatabase(file: string, options: OpenOptions): Promise<Database> {
  const connection = connect(file);
  const database = new Database(connection, options.busyTimeoutMs);
  try {
    await database.outsideTransaction(() => checkVersion(database));
    await database.outsideTransaction(() => {
      connection.exec("PRAGMA journal_mode = WAL");
      connection.exec(`PRAGMA synchronous = ${options.sync === "full" ? "FULL" : "OFF"}`);
      // A log that grew because of a long reader is truncated at the next checkpoint.
      connection.exec("PRAGMA journal_size_limit = 67108864");
      // 16 MB of log between checkpoints: a page that every append touches is copied back once in a thousand appends.
      connection.exec("PRAGMA wal_autocheckpoint = 4000");
      connection.exec("PRAGMA cache_size = -16384");
      // Deleted data is overwritten, including pages that become free.
      connection.exec("PRAGMA secure_delete = ON");
    });
    await migrate(database);
    database.pinVersion(MIGRATIONS.length);
    syncFolder(dirname(file));
    return database;
  } catch (error) {
    database.close();
    throw whyNotOpened(file, error);
  }
}

/** A second connection for long reads, which must not block the store's own transactions. */
export function connect(file: string): DatabaseSync {
  try {
    makeFolder(dirname(file));
    makePrivate(file);
    return new DatabaseSync(file, { timeout: BLOCKING_WAIT_MS });
  } catch (error) {
    throw whyNotOpened(file, error);
  }
}

/** Checks the folder, because SQLite only reports "unable to open" for a folder without write permission. */
function whyNotOpened(file: string, error: unknown): unknown {
  const typed = toStoreError(error);
  if (!CairnError.is(typed) || typed.code !== "io") return typed;
  let folder = dirname(file);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return typed;
  } catch (refused) {
    return toStoreError(refused);
  }
}

async function migrate(database: Database): Promise<void> {
  if ((await database.outsideTransaction(() => checkVersion(database))) === MIGRATIONS.length) return;
  // A migration consists only of its own statements, so it never yields.
  await database.write(function* () {
    const version = checkVersion(database);
    for (const migration of MIGRATIONS.slice(version)) readingSchema(() => database.connection.exec(migration));
    database.connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function checkVersion(database: Database): number {
  const { application_id, user_version, tables } = runNow(
    database.get<Record<string, number>>(
      "SELECT a.application_id, u.user_version, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id a, pragma_user_version u",
    ),
  ) ?? { application_id: 0, user_version: 0, tables: 0 };
  if (application_id !== APPLICATION_ID && Number(tables) > 0)
    throw storeError("corrupt", "The database file was not made by Cairn. Choose another data folder.", {
      application_id,
    });
  if (Number(user_version) > MIGRATIONS.length)
    throw storeError(
      "newer_version",
      `The database has version ${user_version}; this program reads up to ${MIGRATIONS.length}. Upgrade the program.`,
      { version: user_version, known: MIGRATIONS.length },
    );
  return Number(user_version);
}

/**
 * Restricts the files to this user: the database, the log and the shared memory, to which SQLite gives the same
 * permissions. Files of earlier versions are restricted as well, by their owner.
 */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  for (const [path, mode] of [
    [dirname(file), 0o700],
    [file, 0o600],
  ] as const)
    if (statSync(path).uid === process.getuid?.()) chmodSync(path, mode);
}

/** Creates a folder with its parents, and makes their names durable. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let each = folder; each.length >= first.length; each = dirname(each)) syncFolder(dirname(each));
}

/** Makes the name of a new file durable, not only its content. Windows cannot sync folders and does not need to. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
