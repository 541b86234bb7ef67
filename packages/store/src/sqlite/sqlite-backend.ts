/** The embedded back end: one SQLite file and a folder of blobs. */
import { CairnError, type Clock } from "@cairn/timeline";
import type { Defect } from "../contract/conversation-store.ts";
import type { BlobFolder } from "../fs/blob-folder.ts";
import type { Backend } from "../sql/backend.ts";
import { backUp, type StoreFiles } from "./backup.ts";
import type { Database } from "./database.ts";
import { PollingFeed } from "./polling-feed.ts";
import { toStoreError } from "./sqlite-error.ts";

export class SqliteBackend implements Backend {
  readonly db: Database;
  readonly blobs: BlobFolder;
  readonly feed: PollingFeed;
  readonly clock: Clock;
  readonly #files: StoreFiles;

  constructor(db: Database, files: StoreFiles, blobs: BlobFolder, clock: Clock, pollMs: number) {
    this.db = db;
    this.#files = files;
    this.blobs = blobs;
    this.clock = clock;
    this.feed = new PollingFeed(db, pollMs);
  }

  async checkDatabase(): Promise<Defect[]> {
    try {
      const { db } = this;
      const rows = await db.read(() => db.all<{ integrity_check: string }>("PRAGMA integrity_check(100)"));
      const lines = rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
      return lines.map((line) => ({ code: "database_corrupt", message: `SQLite: ${line}`, key: null }));
    } catch (error) {
      const message = this.defectOf(error);
      if (message === null) throw error;
      return [{ code: "database_corrupt", message, key: null }];
    }
  }

  /** Rebuilds SQLite's own indexes from their tables. */
  async mendDatabase(signal?: AbortSignal): Promise<void> {
    await this.db.write(() => this.db.run("REINDEX"), signal);
  }

  defectOf(error: unknown): string | null {
    const typed = toStoreError(error);
    return CairnError.is(typed) && typed.code === "corrupt" ? typed.message : null;
  }

  backup(folder: string, signal?: AbortSignal): Promise<void> {
    return backUp(this.#files, folder, signal);
  }

  async close(): Promise<void> {
    this.db.close();
  }
}
