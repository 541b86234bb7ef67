/**
 * Tests that after deletion and `gc`, PostgreSQL contains no row of a deleted text, and that its tables were vacuumed.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClusterStore } from "./cluster/open-cluster-store.ts";
import { makeClient } from "./postgres/index.ts";

const missing = whyNoPostgres();
const TS = "2026-02-09T10:00:00Z";

describe.skipIf(missing !== null)(`a deleted conversation${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  const folder = mkdtempSync(join(tmpdir(), "cairn-deletion-"));
  beforeAll(async () => {
    postgres = await startPostgres({ sync: false });
  });
  afterAll(async () => {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is in no row of any table, and no dead row is left", async () => {
    const database = await postgres.createDatabase();
    const store = await openClusterStore({ database, blobs: join(folder, "blobs") });
    const client = makeClient({ connectionString: database }, () => undefined);
    await client.connect();
    const secret = randomBytes(12).toString("hex");
    const key = { tenant: "t", project: "p", user: "u", conversation: "gone" };
    await store.createConversation(key);
    const { token } = await store.acquireLease(key, "w", 60_000);
    const block = { type: "user.prompt", turn_id: "turn_1", path: `ar:turn_1.user.prompt`, text: `the ${secret} text` };
    await store.append(
      key,
      [
        makeEvent("turn.opened", { turn_id: "turn_1", ts: TS }),
        makeEvent("block.appended", { position: 0, tokens: 1, version: 1, block }),
        makeEvent("meta.set", { conversation_title: secret }),
      ],
      { lease: { token, expectedSeq: 0 } },
    );
    await store.appendStream(key, { token, stream: "s", offset: 0, text: secret });
    await store.saveArtifact(key, { kind: "report", payload: { secret }, content_str: secret });
    expect((await store.search(key, secret)).items).toHaveLength(1);

    const tables = (await client.query("SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()"))
      .rows;
    const holding = async () => {
      const found: string[] = [];
      for (const { name } of tables) {
        const like = `%${secret}%`;
        const hex = `%${Buffer.from(secret).toString("hex")}%`;
        const { rows } = await client.query(
          `SELECT count(*)::int AS n FROM "${name}" t WHERE t::text LIKE $1 OR t::text LIKE $2`,
          [like, hex],
        );
        if (rows[0].n > 0) found.push(name);
      }
      return found;
    };
    expect(await holding()).toContain("events");
    await store.deleteConversation(key);
    await store.gc({ graceMs: 0 });
    expect(await holding()).toEqual([]);
    const vacuumed = () =>
      client.query(
        "SELECT relname FROM pg_stat_user_tables WHERE relname = 'events' AND vacuum_count > 0 AND n_dead_tup = 0",
      );
    await expect.poll(async () => (await vacuumed()).rows).toEqual([{ relname: "events" }]);
    await client.end();
    await store.close();
  });
});
