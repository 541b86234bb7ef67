/** Tests the law of `cited-sources.law.test.ts` on PostgreSQL. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlobFolder } from "@cairn/store";
import { openPostgresStore } from "@cairn/store/postgres";
import { patience } from "@cairn/testkit/patience";
import { bySize } from "@cairn/testkit/runs";
import { ManualClock, type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { holdCitationLaw } from "@cairn/testkit/turns";
import { afterAll, beforeAll, describe, it } from "vitest";

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(
  `texts on PostgreSQL${missing === null ? "" : ` (${missing})`}`,
  { timeout: patience },
  () => {
    const clock = new ManualClock();
    let folder = "";
    let server: PostgresServer;
    let store: Awaited<ReturnType<typeof openPostgresStore>>;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "cairn-cited-"));
      server = await startPostgres({ sync: false });
      const url = await server.createDatabase();
      store = await openPostgresStore({ url, blobs: new BlobFolder(join(folder, "blobs"), clock), clock });
    }, patience);
    afterAll(async () => {
      await store?.close();
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it("cite exactly the sources that they name and that their request showed", async () => {
      await holdCitationLaw({ store, clock, folder: join(folder, "out") }, bySize({ quick: 3, usual: 5, long: 200 }));
    });
  },
);
