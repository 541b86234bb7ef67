import { once } from "node:events";
import { makeClient, warnOfLoss } from "@cairn/store/postgres";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCheckpointer } from "./stored-subjects.ts";

const missing = await whyNoPostgres();

describe.skipIf(missing !== null)(`the checkpointer of the benchmark${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({ sync: false });
  });
  afterAll(() => postgres?.close());

  it("survives that the server ends its idle connection, and has none left when it is closed", async () => {
    const database = await postgres.createDatabase();
    const checkpointer = await openCheckpointer(database);
    await checkpointer.growTo(1);
    const admin = makeClient({ connectionString: database }, warnOfLoss);
    await admin.connect();
    const others = `FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    const warned = once(process, "warning");
    const { rowCount } = await admin.query(`SELECT pg_terminate_backend(pid) ${others}`);
    expect(rowCount).toBe(1);
    expect(await warned).toMatchObject([{ name: "ConnectionLost" }]);
    await checkpointer.round();
    await checkpointer.close();
    const { rows } = await admin.query(`SELECT count(*)::int AS open ${others}`);
    expect(rows).toEqual([{ open: 0 }]);
    await admin.end();
  });
});
