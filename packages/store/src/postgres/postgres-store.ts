/**
 * Opens the store of a cluster.
 *
 * @example
 * const store = await openPostgresStore({ url: "postgres://…", blobs: openS3BlobStore("s3://bucket") });
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Clock } from "@cairn/timeline";
import pg from "pg";
import type { ConversationStore } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { StoreMaintenance } from "../contract/store-maintenance.ts";
import { copyStore } from "../copy-store.ts";
import { openEmbeddedStore } from "../embedded-store.ts";
import { isMissing, toFileError } from "../fs/file-error.ts";
import { SqlStore } from "../sql/sql-store.ts";
import { DatabaseClock } from "./database-clock.ts";
import { endOf, letGo } from "./let-go.ts";
import { migrate } from "./migrate.ts";
import { PostgresBackend } from "./postgres-backend.ts";
import { toStoreError } from "./postgres-error.ts";

export interface PostgresStoreOptions {
  /** `postgres://user@host:5432/database`. */
  readonly url: string;
  readonly blobs: KeptBlobs & { close?(): void };
  /** The database's clock by default, so that all machines go by one. */
  readonly clock?: Clock;
  /** How long a call waits for a server that is away, or for others, before it gets `busy`; 10,000 by default. */
  readonly patienceMs?: number;
  /** How long a server that was asked something may say nothing before it counts as gone; 30,000 by default. */
  readonly silenceMs?: number;
  /** Connections of this process; 10 by default. One more listens while somebody follows. */
  readonly connections?: number;
}

export interface PostgresStore extends ConversationStore, StoreMaintenance {
  readonly blobs: KeptBlobs;
}

const PATIENCE_MS = 10_000;
const SILENCE_MS = 30_000;
const CONNECT_MS = 5_000;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { patienceMs = PATIENCE_MS, silenceMs = SILENCE_MS, connections = 10 } = options;
  const unhurried: pg.ClientConfig = {
    connectionString: options.url,
    connectionTimeoutMillis: Math.min(CONNECT_MS, silenceMs),
    keepAlive: true,
    application_name: "cairn",
    types: { getTypeParser },
  };
  // A machine that vanishes, or a network that is cut, ends no connection: nobody is told.
  const config: pg.ClientConfig = { ...unhurried, query_timeout: silenceMs };
  const pool = new pg.Pool({ ...config, max: connections });
  const endPool = endOf(pool);
  // A connection that ends while nobody uses it is replaced; without a listener it would end the process.
  pool.on("error", () => undefined);
  const clock = new DatabaseClock(pool);
  try {
    await migrateWith(new pg.Client(unhurried));
    if (options.clock === undefined) await clock.ask();
  } catch (error) {
    await endPool();
    throw toStoreError(error);
  }
  const store: PostgresStore = new SqlStore(
    new PostgresBackend({
      pool,
      endPool,
      makeListener: () => new pg.Client(config),
      patienceMs,
      blobs: options.blobs,
      clock: options.clock ?? clock,
      backup: (folder, signal) => backUp(store, folder, signal),
    }),
  );
  return store;
}

/** A migration takes its time. */
async function migrateWith(client: pg.Client): Promise<void> {
  // A server that ends between two statements says so here; without a listener the process would end.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await migrate(client);
  } finally {
    await letGo(client);
  }
}

/** Numbers of 64 bits come as text otherwise; none of ours is beyond what a number holds. */
function getTypeParser(oid: number, format?: "text" | "binary") {
  if (oid === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(oid, format);
}

/** An embedded store that holds every conversation, made beside its place and renamed when it is complete. */
async function backUp(store: PostgresStore, folder: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const target = resolve(folder);
  if ((await entriesOf(target)).length > 0)
    throw storeError("bad_argument", "The folder for the backup is not empty. Choose a new one.", { folder });
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const copy = await openEmbeddedStore({ dir: partial });
    try {
      await copyStore(store, copy, signal === undefined ? {} : { signal });
    } finally {
      await copy.close();
    }
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw toFileError(error, "The backup");
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw toFileError(error, "Looking into the folder for the backup");
  }
}
