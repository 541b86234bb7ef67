/**
 * Tests failures that only a cluster has: processes that die or contend, a database that dies, blobs in S3, copies to
 * another store and back.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  judgeContention,
  killWriters,
  type PostgresServer,
  pauseWriter,
  playScript,
  randomScript,
  type S3Server,
  startPostgres,
  startS3Server,
  whyNoPostgres,
  whyNoS3Server,
} from "@cairn/testkit/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openClusterStore } from "./cluster/open-cluster-store.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { StoreMaintenance } from "./contract/store-maintenance.ts";
import { copyStore } from "./copy-store.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { closeConnection } from "./postgres/close-connection.ts";
import { makeClient, warnOfLoss } from "./postgres/connections.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";
import { openS3BlobStore } from "./s3/s3-blob-store.ts";

const missing = whyNoPostgres() ?? whyNoS3Server();
const LIVES = process.env.CAIRN_LONG === "1" ? 1_000 : 12;

describe.skipIf(missing !== null)(`a cluster${missing === null ? "" : ` (${missing})`}`, () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  let options: { readonly database: string; readonly blobs: string };
  let store: ConversationStore & StoreMaintenance;
  const lost: Error[] = [];
  const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
  const recipe = () => ({
    module: new URL("./cluster/index.ts", import.meta.url).href,
    export: "openClusterStore",
    options,
  });

  beforeAll(async () => {
    [postgres, s3] = await Promise.all([startPostgres(), startS3Server()]);
    Object.assign(process.env, s3.env);
    await s3.createBucket("cairn");
    options = {
      database: await postgres.createDatabase(),
      blobs: `s3://cairn/cluster?endpoint=${encodeURIComponent(s3.endpoint)}`,
    };
    // Some tests end the connections of this store.
    store = await openClusterStore({ ...options, onConnectionLost: (error) => lost.push(error) });
  });
  afterAll(async () => {
    await store?.close();
    await Promise.all([postgres?.close(), s3?.close()]);
  });

  it(`keeps every acknowledged event through ${LIVES} kills of the writer`, { timeout: LIVES * 30_000 }, async () => {
    const keys = ["one", "two"].map(keyOf);
    const reports = await Promise.all(keys.map((key) => killWriters(store, recipe(), key, LIVES / 2, Math.random)));
    expect(reports.flatMap((report) => report.losses)).toEqual([]);
    expect(reports.reduce((sum, report) => sum + report.kills, 0)).toBe(LIVES);
    expect(reports.reduce((sum, report) => sum + report.acknowledged, 0)).toBeGreaterThan(LIVES / 4);
    expect(await Array.fromAsync(store.verify())).toEqual([]);
  });

  it("lets processes write at once without losing an update, and fences out one that was paused", async () => {
    await judgeContention(store, {
      recipe: recipe(),
      key: keyOf("contended"),
      updates: 8,
      expected: "lease_held",
      clockOffsets: [0, 0, 0, 0],
    });
    const key = keyOf("paused");
    await store.createConversation(key);
    const paused = await pauseWriter(store, recipe(), key, 400);
    expect(paused.refusal).toBe("lease_lost");
    const events = await store.readEvents(key);
    expect(events.at(-1)?.seq).toBe(paused.takeoverSeq);
  });

  it("loses nothing that was acknowledged when the database server is killed, and continues when it is back", async () => {
    const key = keyOf("killed server");
    await store.createConversation(key);
    const input = (nth: number) => ({
      kind: "cancel.requested" as const,
      v: 1,
      body: { key: `k${nth}`, ts: "2026-02-09T00:00:00Z" },
    });
    const acknowledged = new Map<number, number>();
    let unknown = 0;
    const untyped: string[] = [];
    let isWriting = true;
    const writing = (async () => {
      for (let nth = 0; isWriting; nth++)
        await store.append(key, [input(nth)]).then(
          ({ seqs }) => acknowledged.set(nth, seqs[0] ?? 0),
          (error) => {
            if (!["io", "busy"].includes(error.code)) untyped.push(String(error.stack));
            unknown++;
          },
        );
    })();
    const stop = new AbortController();
    const followed: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.follow(key, { signal: stop.signal })) followed.push(seq);
    })();
    for (let round = 0; round < 2; round++) {
      await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(20 * (round + 1));
      await postgres.kill();
      await postgres.start();
    }
    const before = acknowledged.size;
    await expect.poll(() => acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(before + 10);
    isWriting = false;
    await writing;
    expect(untyped).toEqual([]);
    expect(lost).not.toEqual([]);
    const events = await store.readEvents(key, { limit: 10_000 });
    const seqOf = new Map(events.map(({ seq, event }) => [(event.body as { key: string }).key, seq]));
    for (const [nth, seq] of acknowledged) expect(seqOf.get(`k${nth}`)).toBe(seq);
    expect(events.length).toBeLessThanOrEqual(acknowledged.size + unknown);
    await expect.poll(() => followed.length, { timeout: 60_000 }).toBe(events.length);
    stop.abort();
    await following;
    expect(followed).toEqual(events.map(({ seq }) => seq));
    expect(await store.verifyConversation(key)).toEqual([]);
  });

  it("reports that bytes cannot be stored or read while S3 is away, keeps the journal, and reads them when it is back", async () => {
    const key = keyOf("away");
    await store.createConversation(key);
    const { ref } = await store.putBlob(key, [new TextEncoder().encode("kept")]);
    await s3.stopGateway();
    await expect(store.putBlob(key, [new TextEncoder().encode("not kept")])).rejects.toMatchObject({ code: "io" });
    await expect(Array.fromAsync(store.readBlob(key, ref))).rejects.toMatchObject({ code: "io" });
    // Bytes that cannot be read are not reported as damaged.
    await expect(store.verifyConversation(key)).rejects.toMatchObject({ code: "io" });
    await s3.startGateway();
    expect(await store.verifyConversation(key)).toEqual([]);
    expect(Buffer.concat(await Array.fromAsync(store.readBlob(key, ref))).toString()).toBe("kept");
  });

  it("keeps bytes that are put while gc removes the same ones, even if the database ends gc's transaction", async () => {
    const [old, anew] = [keyOf("old bytes"), keyOf("new bytes")];
    const bytes = [new TextEncoder().encode("put, let go of and put again")];
    for (const key of [old, anew]) await store.createConversation(key);
    const { ref } = await store.putBlob(old, bytes);
    await store.deleteConversation(old);

    const blobs = openS3BlobStore(options.blobs);
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const remove = blobs.delete.bind(blobs);
    blobs.delete = async (...asked) => {
      reached.resolve();
      await gate.promise;
      return remove(...asked);
    };
    await using undo = new AsyncDisposableStack();
    const sweeper = undo.adopt(
      await openPostgresStore({ url: options.database, blobs, onConnectionLost: (error) => lost.push(error) }),
      (opened) => opened.close(),
    );
    const sweeping = sweeper.gc({ graceMs: 0 }).catch((error: unknown) => error);
    await reached.promise;
    const admin = undo.adopt(makeClient({ connectionString: options.database }, warnOfLoss), closeConnection);
    await admin.connect();
    await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    const put = store.putBlob(anew, bytes);
    // Lets the put run as far as it can while `gc` is held.
    await Promise.race([put, wait(1_000)]);
    gate.resolve();
    await sweeping;
    expect(await put).toMatchObject({ ref });
    expect(Buffer.concat(await Array.fromAsync(store.readBlob(anew, ref)))).toEqual(Buffer.concat(bytes));

    // A garbage collection that died in the middle leaves a mark. The bytes cannot be used until the mark expires.
    await store.deleteConversation(anew);
    await store.createConversation(anew);
    const mark = "UPDATE blobs SET free_since = -($1 + extract(epoch FROM now()) * 1000)::bigint WHERE hash = $2";
    await admin.query(mark, [3_600_000, ref]);
    expect(await store.gc({ graceMs: 0 })).toMatchObject({ blobs: 0 });
    await admin.query(mark, [-1, ref]);
    await store.putBlob(anew, bytes);
    const rows = async () => (await admin.query("SELECT free_since FROM blobs WHERE hash = $1", [ref])).rows;
    expect(await rows()).toEqual([{ free_since: null }]);
    await store.deleteConversation(anew);
    await admin.query(mark, [-1, ref]);
    expect(await store.gc({ graceMs: 0 })).toMatchObject({ blobs: 1 });
    expect(await rows()).toEqual([]);
  });

  it("is copied to an embedded store and back, byte for byte", async () => {
    const dir = mkdtempSync(join(tmpdir(), "cairn-copy-"));
    const embedded = await openEmbeddedStore({ dir });
    try {
      const key = { tenant: "copied", project: "p", user: "u", conversation: "there and back" };
      await playScript(store, key, randomScript(7, 6));
      const bytesOf = async (from: ConversationStore, which = key) =>
        Buffer.concat(await Array.fromAsync(from.exportConversation(which))).toString("base64");
      const original = await bytesOf(store);
      const report = await copyStore(store, embedded);
      expect(report.gone).toBe(0);
      // Branches are copied with their tree's first conversation and count as `there`. Killed writers may have made
      // branches.
      const all = report.copied + report.there;
      expect(await copyStore(store, embedded)).toEqual({ copied: 0, there: all, gone: 0 });
      expect(await bytesOf(embedded)).toBe(original);
      await store.deleteConversation(key);
      await copyStore(embedded, store);
      expect(await bytesOf(store)).toBe(original);
      expect(await Array.fromAsync(embedded.verify())).toEqual([]);
    } finally {
      await embedded.close();
      rmSync(dir, { recursive: true });
    }
  });
});
