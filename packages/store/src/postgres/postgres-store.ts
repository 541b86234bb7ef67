/**
 * Opens the store of a cluster.
 *
 * @example
 * const store = await openPostgresStore({ url: "postgres://…", blobs: openS3BlobStore("s3://bucket") });
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Clock } from "@cairn/timeline";
import type pg from "pg";
import type { ConversationStore } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { StoreMaintenance } from "../contract/store-maintenance.ts";
import { copyStore } from "../copy-store.ts";
import { openEmbeddedStore } from "../embedded-store.ts";
import { namesIn, toFileError } from "../fs/file-error.ts";
import { SqlStore } from "../sql-store.ts";
import { closeConnection } from "./close-connection.ts";
import { type ConnectionLost, makeClient, numbersAsNumbers, openPool, warnOfLoss } from "./connections.ts";
import { DatabaseClock } from "./database-clock.ts";
import { migrate } from "./migrate.ts";
import { PostgresBackend } from "./postgres-backend.ts";
import { toStoreError } from "./postgres-error.ts";

export interface PostgresStoreOptions {
  /** URL of the database, such as `postgres://user@host:5432/database`. */
  readonly url: string;
  readonly blobs: KeptBlobs & { close?(): void };
  /** Default: the database's clock, so that all machines use the same one. */
  readonly clock?: Clock;
  /** How long a call waits for an unavailable server or for locks before it throws `busy`; default 10,000. */
  readonly patienceMs?: number;
  /** How long a server may leave a query unanswered before it counts as lost; default 30,000. */
  readonly silenceMs?: number;
  /** Number of connections of this process; default 10. One more connection listens while there are followers. */
  readonly connections?: number;
  /** Called for each lost connection. The store replaces it and retries. By default the process prints a warning. */
  readonly onConnectionLost?: ConnectionLost;
}

export interface PostgresStore extends ConversationStore, StoreMaintenance {
  readonly blobs: KeptBlobs;
}

const PATIENCE_MS = 10_000;
const SILENCE_MS = 30_000;
const CONNECT_MS = 5_000;

export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { patienceMs = PATIENCE_MS, silenceMs = SILENCE_MS, connections = 10 } = options;
  const { onConnectionLost = warnOfLoss } = options;
  const unhurried: pg.ClientConfig = {
    connectionString: options.url,
    connectionTimeoutMillis: Math.min(CONNECT_MS, silenceMs),
    keepAlive: true,
    application_name: "cairn",
    types: numbersAsNumbers,
  };
  // Queries have a timeout: when a machine disappears or a network is cut, the connection stays open silently.
  const config: pg.ClientConfig = { ...unhurried, query_timeout: silenceMs };
  const { pool, end: endPool } = openPool({ ...config, max: connections }, onConnectionLost);
  const clock = new DatabaseClock(pool);
  try {
    await migrateWith(makeClient(unhurried, onConnectionLost));
    if (options.clock === undefined) await clock.ask();
  } catch (error) {
    await endPool();
    throw toStoreError(error);
  }
  const store: PostgresStore = new SqlStore(
    new PostgresBackend({
      pool,
      endPool,
      makeListener: () => makeClient(config, onConnectionLost),
      patienceMs,
      blobs: options.blobs,
      clock: options.clock ?? clock,
      backup: (folder, signal) => backUp(store, folder, signal),
    }),
  );
  return store;
}

/** Migrates with a connection of its own, without a timeout, because a migration may take long. */
async function migrateWith(client: pg.Client): Promise<void> {
  try {
    await client.connect();
    await migrate(client);
  } finally {
    await closeConnection(client);
  }
}

/** Copies every conversation into an embedded store, which is renamed to its final place when complete. */
async function backUp(store: PostgresStore, folder: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const target = resolve(folder);
  if ((await namesIn(target)).length > 0)
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
