/** The embedded back end: one SQLite file and a folder of blobs. */
import { CairnError, type Clock } from "@cairn/timeline";
import type { Defect } from "../contract/conversation-store.ts";
import type { BlobFolder } from "../fs/blob-folder.ts";
import type { Backend } from "../sql/backend.ts";
import { backUp, type StoreFiles } from "./backup.ts";
import type { Database } from "./database.ts";
import { PollingFeed } from "./polling-feed.ts";
import { clearIndex } from "./search-index.ts";
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
      const rows = await db.read(function* () {
        // A search makes FTS5 look at its index anew; its check alone goes by what this connection saw last, and would
        // miss pieces that another one has merged since.
        yield* db.get("SELECT rowid FROM search WHERE search MATCH 'x' LIMIT 1");
        return yield* db.all<{ integrity_check: string }>("PRAGMA integrity_check(100)");
      });
      const lines = rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
      return lines.map((line) => ({ code: "database_corrupt", message: `SQLite: ${line}`, key: null }));
    } catch (error) {
      const message = this.defectOf(error);
      if (message === null) throw error;
      return [{ code: "database_corrupt", message, key: null }];
    }
  }

  /** SQLite's own indexes come from their tables; an index of words that is not sound is made anew from the events. */
  async mendDatabase(signal?: AbortSignal): Promise<void> {
    const { db } = this;
    let failure: unknown = null;
    for (const mend of [() => db.run("REINDEX"), () => this.#mendWords()])
      try {
        await db.write(mend, signal);
      } catch (error) {
        // One may be in the way of neither; what is left is named by the check that follows.
        failure ??= error;
      }
    if (failure !== null) throw failure;
  }

  *#mendWords() {
    try {
      yield* this.db.run("INSERT INTO search (search) VALUES ('integrity-check')");
    } catch {
      // Whatever the check found, the words are made anew from the events.
      yield* clearIndex(this.db);
    }
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
