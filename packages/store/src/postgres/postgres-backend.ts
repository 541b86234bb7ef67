/** The cluster back end: a PostgreSQL database, and blobs in S3 or in a folder that all machines share. */
import { CairnError, type Clock } from "@cairn/timeline";
import type pg from "pg";
import type { Defect } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { Backend } from "../sql/backend.ts";
import { NotificationFeed } from "./notification-feed.ts";
import { PostgresDatabase } from "./postgres-database.ts";

export interface PostgresParts {
  readonly pool: pg.Pool;
  /** Closes the pool, whatever the state of its connections. */
  readonly endPool: () => Promise<void>;
  readonly makeListener: () => pg.Client;
  readonly patienceMs: number;
  readonly blobs: KeptBlobs & { close?(): void };
  readonly clock: Clock;
  /** Copies every conversation into a new folder. */
  readonly backup: (folder: string, signal?: AbortSignal) => Promise<void>;
}

export class PostgresBackend implements Backend {
  readonly db: PostgresDatabase;
  readonly blobs: KeptBlobs;
  readonly feed: NotificationFeed;
  readonly clock: Clock;
  readonly #parts: PostgresParts;

  constructor(parts: PostgresParts) {
    this.#parts = parts;
    this.db = new PostgresDatabase(parts.pool, parts.patienceMs, parts.endPool);
    this.feed = new NotificationFeed(parts);
    this.blobs = parts.blobs;
    this.clock = parts.clock;
  }

  /** Checks nothing: PostgreSQL checks its pages when it reads them and reports damage as an error. */
  async checkDatabase(): Promise<Defect[]> {
    return [];
  }

  async mendDatabase(): Promise<void> {}

  defectOf(error: unknown): string | null {
    return CairnError.is(error) && error.code === "corrupt" ? error.message : null;
  }

  async backup(folder: string, signal?: AbortSignal): Promise<void> {
    if (folder === "") throw storeError("bad_argument", "Name a folder for the backup.");
    await this.#parts.backup(folder, signal);
  }

  async close(): Promise<void> {
    await this.db.close();
    this.#parts.blobs.close?.();
  }
}
