/** Transactions of several processes on one tree, in PostgreSQL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClusterStore } from "./cluster/open-cluster-store.ts";
import { makeClient } from "./postgres/index.ts";

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(`a tree${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  const folder = mkdtempSync(join(tmpdir(), "cairn-trees-"));
  beforeAll(async () => {
    postgres = await startPostgres({ sync: false });
  });
  afterAll(async () => {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("a tree that is deleted while a branch is added leaves no branch without its events", async () => {
    const database = await postgres.createDatabase();
    const store = await openClusterStore({ database, blobs: join(folder, "blobs") });
    const holder = makeClient({ connectionString: database }, () => undefined);
    await holder.connect();
    const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
    const input = (key: string) =>
      makeEvent("input.received", { key, mode: "turn", message: "m", attachments: [], ts: "2026-02-09T10:00:00Z" });
    await store.createConversation(keyOf("trunk"), { events: [input("a")] });
    await store.branch(keyOf("trunk"), 1, "one", { events: [input("b")] });
    await store.branch(keyOf("trunk"), 1, "two");
    await store.show(keyOf("trunk"));
    const waiting = async () => (await holder.query("SELECT 1 FROM pg_locks WHERE NOT granted")).rows.length;
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM conversations WHERE conversation = 'trunk' FOR UPDATE");
    const branching = store.branch(keyOf("one"), 2, "new").catch((error) => error.code);
    await expect.poll(waiting).toBe(1);
    const deleting = store.deleteConversation(keyOf("two"), { tree: true });
    await expect.poll(waiting).toBe(2);
    await holder.query("COMMIT");
    await Promise.all([branching, deleting]);
    for (const name of ["trunk", "one", "two", "new"])
      await expect(store.load(keyOf(name))).rejects.toMatchObject({ code: "not_found" });
    expect(await Array.fromAsync(store.verify())).toEqual([]);
    await holder.end();
    await store.close();
  });
});
