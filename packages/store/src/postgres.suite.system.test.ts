import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  conversationStoreSuite,
  type PostgresServer,
  type S3Server,
  startPostgres,
  startS3Server,
  whyNoPostgres,
  whyNoS3Server,
} from "@cairn/testkit/store";
import { afterAll, beforeAll, describe } from "vitest";
import { openClusterStore } from "./cluster/open-cluster-store.ts";
import { openEmbeddedStore } from "./embedded-store.ts";

const missing = whyNoPostgres() ?? whyNoS3Server();

describe.skipIf(missing !== null)(`a cluster${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  let template = "";
  let stores = 0;
  const blobsAt = (prefix: string) => `s3://cairn/${prefix}?endpoint=${encodeURIComponent(s3.endpoint)}`;
  beforeAll(async () => {
    // `sync` is off, because other tests prove durability and waiting for the disk triples the time of the suite.
    [postgres, s3] = await Promise.all([startPostgres({ sync: false }), startS3Server()]);
    Object.assign(process.env, s3.env);
    await s3.createBucket("cairn");
    // Databases are copies of a migrated one, which saves two thirds of the time. Other tests prove migrations.
    template = await postgres.createDatabase();
    await (await openClusterStore({ database: template, blobs: blobsAt("template") })).close();
  });
  afterAll(async () => {
    await Promise.all([postgres?.close(), s3?.close()]);
  });

  conversationStoreSuite("PostgreSQL and S3", async (clock) => {
    const root = mkdtempSync(join(tmpdir(), "cairn-suite-"));
    const database = await postgres.createDatabase(template);
    const blobs = blobsAt(`suite-${++stores}`);
    const opened: { close(): Promise<void> }[] = [];
    let folders = 0;
    const open = async (itsClock = clock) => {
      const store = await openClusterStore({ database, blobs, clock: itsClock, connections: 6 });
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
