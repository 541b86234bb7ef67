/** The queue's connections to PostgreSQL and its tables: graphile-worker's own schema, heartbeats, and chores. */
import { type ConnectionLost, makeClient, openPool } from "@cairn/store/postgres";
import { type Logger, makeWorkerUtils, type WorkerUtils } from "graphile-worker";
import type pg from "pg";
import { endWhenSilent } from "./end-when-silent.ts";

/** The schema with graphile-worker's tables. */
export const SCHEMA = "graphile_worker";

export interface QueueDatabase {
  readonly pool: pg.Pool;
  readonly utils: WorkerUtils;
  /** A separate connection that is not open yet. The caller calls `watch` when it is open. */
  readonly makeListener: () => pg.Client;
  readonly watch: (client: pg.Client) => void;
  readonly close: () => Promise<void>;
}

/** Maximum number of connections. One of these listens for jobs while this process runs turns. */
const CONNECTIONS = 4;
const CONNECT_MS = 5_000;
const SILENCE_MS = 10_000;
const CLOSE_MS = 2_000;
/** Key of the advisory lock: any constant that no other lock uses. */
const LOCK = 4_201_775;

/** The tables are not durable, because their data is outdated after a restart anyway. */
const TABLES = `
CREATE UNLOGGED TABLE IF NOT EXISTS cairn_workers (pool TEXT PRIMARY KEY, beat_at TIMESTAMPTZ NOT NULL);
CREATE UNLOGGED TABLE IF NOT EXISTS cairn_chores (
  chore TEXT PRIMARY KEY,
  done_at TIMESTAMPTZ NOT NULL,
  done_by TEXT NOT NULL
);`;

export interface QueueDatabaseOptions {
  readonly url: string;
  /** The logger that graphile-worker writes to. */
  readonly logger: Logger;
  readonly onConnectionLost: ConnectionLost;
  /** How long a connection may be silent before it is probed; default 10,000. */
  readonly silenceMs?: number;
}

export async function openQueueDatabase(options: QueueDatabaseOptions): Promise<QueueDatabase> {
  const { url, logger, onConnectionLost, silenceMs = SILENCE_MS } = options;
  const config: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: Math.min(CONNECT_MS, silenceMs),
    application_name: "cairn queue",
  };
  const { pool, end: endPool } = openPool({ ...config, max: CONNECTIONS }, onConnectionLost);
  const watch = (client: pg.Client) => endWhenSilent(client, silenceMs);
  pool.on("connect", watch);
  const makeListener = () => makeClient(config, onConnectionLost);
  try {
    const utils = await prepare(pool, logger);
    return { pool, utils, watch, makeListener, close: () => close(endPool, utils) };
  } catch (error) {
    await endPool();
    throw error;
  }
}

/** Only one process at a time creates the tables. Other processes wait and then find them. */
async function prepare(pool: pg.Pool, logger: Logger): Promise<WorkerUtils> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const utils = await makeWorkerUtils({ pgPool: pool, schema: SCHEMA, logger });
    await client.query(TABLES);
    await client.query("COMMIT");
    return utils;
  } catch (error) {
    // If the connection is lost, PostgreSQL has already rolled the transaction back.
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function close(endPool: () => Promise<void>, utils: WorkerUtils): Promise<void> {
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, CLOSE_MS);
  await Promise.race([Promise.allSettled([utils.release(), endPool()]), patience.promise]);
  clearTimeout(timer);
}
