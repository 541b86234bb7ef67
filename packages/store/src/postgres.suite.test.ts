import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conversationStoreSuite, type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { afterAll, beforeAll, describe } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";
import { BlobFolder } from "./fs/blob-folder.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";

const missing = await whyNoPostgres();

describe.skipIf(missing !== null)(`PostgreSQL${missing === null ? "" : ` (${missing})`}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    // Durability is proven elsewhere; without waiting for the disk the suite costs a third.
    server = await startPostgres({ sync: false });
  });
  afterAll(async () => server?.close());

  conversationStoreSuite("PostgreSQL with a folder of blobs", async (clock) => {
    const root = mkdtempSync(join(tmpdir(), "cairn-suite-"));
    const url = await server.createDatabase();
    const opened: { close(): Promise<void> }[] = [];
    let folders = 0;
    const open = async (itsClock = clock) => {
      const blobs = new BlobFolder(join(root, "blobs"), itsClock);
      const store = await openPostgresStore({ url, blobs, clock: itsClock, connections: 6 });
      opened.push(store);
      return store;
    };
    return {
      store: await open(),
      another: open,
      newFolder: () => join(root, `backup ${++folders}`),
      openBackup: async (folder) => {
        const copy = await openEmbeddedStore({ dir: folder, clock });
        opened.push(copy);
        return copy;
      },
      dispose: async () => {
        for (const store of opened) await store.close();
        rmSync(root, { recursive: true });
      },
    };
  });
});
