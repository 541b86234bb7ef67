/**
 * Opens the embedded store of a data folder.
 *
 * @example
 * const store = await openEmbeddedStore({ dir: "./.cairn" });
 * const key = { tenant: "acme", project: "site", user: "ada", conversation: "c1" };
 * await store.createConversation(key);
 */
import { resolve } from "node:path";
import type { EmbeddedStore, EmbeddedStoreOptions } from "./embedded-options.ts";
import { BlobFolder } from "./fs/blob-folder.ts";
import { SqlStore } from "./sql-store.ts";
import { filesOf } from "./sqlite/backup.ts";
import { openDatabase } from "./sqlite/open.ts";
import { SqliteBackend } from "./sqlite/sqlite-backend.ts";

export async function openEmbeddedStore(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
  const { clock, busyTimeoutMs = 5_000, pollMs = 10, sync = "full" } = options;
  const files = filesOf(resolve(options.dir));
  const database = await openDatabase(files.database, { busyTimeoutMs, sync });
  const blobs = new BlobFolder(files.blobs, clock ?? null);
  return new SqlStore(new SqliteBackend(database, files, blobs, clock ?? { now: () => Date.now() }, pollMs));
}
