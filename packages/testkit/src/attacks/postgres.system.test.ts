/**
 * Hostile imports, and calls without consent, on PostgreSQL. The tests on the embedded store show that each attack
 * works without its guard.
 */
import { join } from "node:path";
import { BlobFolder } from "@cairn/store";
import { openPostgresStore } from "@cairn/store/postgres";
import { afterAll, beforeAll, describe } from "vitest";
import { ManualClock, type PostgresServer, startPostgres, whyNoPostgres } from "../store/index.ts";
import { type OpenBench, TurnBench } from "../turns/index.ts";
import { resistCalls } from "./consent.suite.ts";
import { resistImports } from "./imports.suite.ts";

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(`on PostgreSQL${missing === null ? "" : ` (${missing})`},`, () => {
  let server: PostgresServer;
  let url = "";
  let benches = 0;
  const openBench: OpenBench = (options = {}) =>
    TurnBench.open({
      ...options,
      conversation: `c${++benches}`,
      openStore: async (folder) =>
        openPostgresStore({ url, blobs: new BlobFolder(join(folder, "blobs"), new ManualClock()), connections: 4 }),
    });
  beforeAll(async () => {
    server = await startPostgres({ sync: false });
    url = await server.createDatabase();
  });
  afterAll(() => server?.close());

  resistImports(openBench, false);
  resistCalls(openBench, false);
});
