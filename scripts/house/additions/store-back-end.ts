import { type Addition, script } from "./addition.ts";

/**
 * A store back end: a database in memory. The conformance suite of the testkit is one more file for a back end that
 * ships.
 */
export const storeBackEnd: Addition = {
  what: "a store back end",
  newFiles: {
    "packages/store/src/memory/open-memory-store.ts": `/** A store in memory, with blobs in a folder. */
import { DatabaseSync } from "node:sqlite";
import { BlobFolder } from "../fs/blob-folder.ts";
import { SqlStore } from "../sql-store.ts";
import { filesOf } from "../sqlite/backup.ts";
import { Database } from "../sqlite/database.ts";
import { MIGRATIONS } from "../sqlite/schema.ts";
import { SqliteBackend } from "../sqlite/sqlite-backend.ts";

export function openMemoryStore(dir: string): SqlStore {
  const database = new Database(new DatabaseSync(":memory:"), 0);
  for (const migration of MIGRATIONS) database.connection.exec(migration);
  const clock = { now: () => Date.now() };
  return new SqlStore(new SqliteBackend(database, filesOf(dir), new BlobFolder(dir, clock), clock, 10));
}
`,
  },
  edits: [
    {
      file: "packages/store/src/index.ts",
      behind: 'export { linkFormat, linkFound } from "./link-found.ts";\n',
      add: 'export { openMemoryStore } from "./memory/open-memory-store.ts";\n',
    },
  ],
  check: {
    args: script(`
      import { openMemoryStore } from "@cairn/store";
      const store = openMemoryStore("blobs");
      const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
      await store.createConversation(key, { events: [{ v: 1, kind: "turn.opened", body: { turn_id: "turn_1", ts: "2026-02-09T10:00:00Z" } }] });
      console.log("events: " + (await store.readEvents(key)).length);
      await store.close();`),
    prints: "events: 1",
  },
};
