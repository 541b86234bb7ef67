/**
 * Tests the upgrade of a cluster while it works: an older program continues, or gets an error that says why it cannot
 * continue. Nothing is lost.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlobFolder } from "./fs/blob-folder.ts";
import { makeClient, warnOfLoss } from "./postgres/connections.ts";
import { migrate } from "./postgres/migrate.ts";
import { openPostgresStore, type PostgresStore } from "./postgres/postgres-store.ts";
import { MIGRATIONS, type Migration } from "./postgres/schema.ts";

const missing = whyNoPostgres();
const WRITERS = 4;

/** A change that the next version may make: older programs need not know the column. */
const ADDS: Migration = {
  compatible: MIGRATIONS.length,
  sql: "ALTER TABLE conversations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'; CREATE INDEX later ON events (kind, stored_at)",
};
/**
 * A change that only the version after the next may make: older programs would fail, or write data that is never read.
 */
const TAKES_AWAY: Migration = {
  compatible: MIGRATIONS.length + 2,
  sql: "ALTER TABLE events RENAME COLUMN body TO content",
};
const TAKEN_BACK = "ALTER TABLE events RENAME COLUMN content TO body; UPDATE cairn_schema SET compatible = 1";

describe.skipIf(missing !== null)(`a cluster that is upgraded${missing === null ? "" : ` (${missing})`}`, () => {
  let server: PostgresServer;
  const root = mkdtempSync(join(tmpdir(), "cairn-upgrade-"));
  beforeAll(async () => {
    server = await startPostgres({ sync: false });
  });
  afterAll(async () => {
    await server?.close();
    rmSync(root, { recursive: true });
  });

  const openOld = (url: string) =>
    openPostgresStore({ url, blobs: new BlobFolder(join(root, "blobs")), connections: 3 });
  const keyOf = (nth: number) => ({ tenant: "t", project: "p", user: "u", conversation: `c${nth}` });

  /** Changes the database as a newer version of the program does when it starts, or as an operator does. */
  async function asNewer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = makeClient({ connectionString: url }, warnOfLoss);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  /** Old programs that write, each to its own conversation, until they are refused or stopped. */
  class Writers {
    readonly acknowledged = Array.from({ length: WRITERS }, () => [] as string[]);
    readonly refusals: string[] = [];
    readonly others: unknown[] = [];
    #isOver = false;
    #writing: Promise<unknown> = Promise.resolve();

    begin(stores: readonly PostgresStore[]): void {
      this.#writing = Promise.all(stores.map((store, nth) => this.#write(store, nth)));
    }

    async end(): Promise<void> {
      this.#isOver = true;
      await this.#writing;
    }

    async untilAllWrote(more: number): Promise<void> {
      const wanted = this.acknowledged.map(({ length }) => length + more);
      await expect
        .poll(() => this.acknowledged.every(({ length }, nth) => length >= (wanted[nth] ?? 0)), { timeout: 60_000 })
        .toBe(true);
    }

    async #write(store: PostgresStore, nth: number): Promise<void> {
      const lease = await store.acquireLease(keyOf(nth), `old ${nth}`, 600_000);
      let expectedSeq = lease.last_timeline_seq;
      for (let at = 0; !this.#isOver; at++)
        try {
          const event = makeEvent("meta.set", { title: `title ${at}` });
          const done = await store.append(keyOf(nth), [event], { lease: { token: lease.token, expectedSeq } });
          expectedSeq = done.lastTimelineSeq;
          this.acknowledged[nth]?.push(`title ${at}`);
        } catch (error) {
          if (CairnError.is(error) && error.code === "newer_version") this.refusals.push(error.message);
          else this.others.push(error);
          return;
        }
    }
  }

  async function titlesOf(store: PostgresStore, nth: number): Promise<unknown[]> {
    const events = await store.readEvents(keyOf(nth), { limit: 10_000 });
    return events.map(({ event }) => ("unknown" in event || event.kind !== "meta.set" ? undefined : event.body.title));
  }

  it("lets an older program read, write and follow through a migration that adds, and rejects it after one that removes", async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => openOld(url)));
    const [reader] = stores;
    if (reader === undefined) throw new Error("There is no store.");
    for (let nth = 0; nth < WRITERS; nth++) await reader.createConversation(keyOf(nth));
    const followed: number[] = [];
    const following = (async () => {
      for await (const { seq } of reader.follow(keyOf(0))) followed.push(seq);
    })().catch((error: unknown) => error);
    const writers = new Writers();
    writers.begin(stores);
    await writers.untilAllWrote(10);

    await asNewer(url, (client) => migrate(client, [...MIGRATIONS, ADDS]));
    await writers.untilAllWrote(10);
    expect((await titlesOf(reader, 1)).length).toBeGreaterThan(10);
    await (await openOld(url)).close();
    expect([writers.refusals, writers.others]).toEqual([[], []]);

    await asNewer(url, (client) => migrate(client, [...MIGRATIONS, ADDS, TAKES_AWAY]));
    await expect.poll(() => writers.refusals.length, { timeout: 60_000 }).toBe(WRITERS);
    await writers.end();
    expect(writers.others).toEqual([]);
    expect(writers.refusals[0]).toContain("Start the newer program instead");
    for (const call of [() => reader.load(keyOf(0)), () => reader.createConversation(keyOf(99)), () => openOld(url)])
      await expect(call()).rejects.toMatchObject({ code: "newer_version" });
    // A follower gets the error with the next event, which a newer program has written by then.
    await asNewer(url, (client) => client.query("SELECT pg_notify('cairn_changes', id::text) FROM conversations"));
    expect(await following).toMatchObject({ code: "newer_version" });
    for (const store of stores) await store.close();

    // The change is taken back, so that this program can read again: exactly the acknowledged events are there.
    await asNewer(url, (client) => client.query(TAKEN_BACK));
    const after = await openOld(url);
    for (let nth = 0; nth < WRITERS; nth++) expect(await titlesOf(after, nth)).toEqual(writers.acknowledged[nth]);
    expect(followed).toEqual(followed.map((_, at) => at + 1));
    expect(await Array.fromAsync(after.verify())).toEqual([]);
    await after.close();
  });

  it("makes a migration wait for writers, and writers wait for the migration", async () => {
    const url = await server.createDatabase();
    const store = await openOld(url);
    await store.createConversation(keyOf(0));
    const steps: string[] = [];
    const input = (key: string) => makeEvent("cancel.requested", { key, ts: "2026-02-09T10:00:00Z" });
    await asNewer(url, async (client) => {
      await client.query("BEGIN; SELECT pg_advisory_xact_lock(4201774)");
      const written = store.append(keyOf(0), [input("a")]).then(() => steps.push("written"));
      expect((await store.load(keyOf(0))).state.pendingInputs.size).toBe(0);
      steps.push("migrated");
      await client.query("COMMIT");
      await written;
    });
    expect(steps).toEqual(["migrated", "written"]);
    await store.close();
  });
});
