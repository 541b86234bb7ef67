/**
 * Tests programs that hang, servers that disappear and connections that break: no caller waits for ever or loses data
 * silently.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, SilentLine, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlobFolder } from "./fs/blob-folder.ts";
import { makeClient, openPool, warnOfLoss } from "./postgres/connections.ts";
import { PostgresDatabase } from "./postgres/postgres-database.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./postgres/postgres-store.ts";
import { lockConversation } from "./sql/conversations.ts";

const missing = whyNoPostgres();

describe.skipIf(missing !== null)(`a silent end of the line${missing === null ? "" : ` (${missing})`}`, () => {
  let server: PostgresServer;
  let url: string;
  const root = mkdtempSync(join(tmpdir(), "cairn-silence-"));
  const open = (at: string, more: Partial<PostgresStoreOptions> = {}) =>
    openPostgresStore({
      url: at,
      blobs: new BlobFolder(join(root, "blobs")),
      connections: 3,
      patienceMs: 60_000,
      // This test expects lost connections; the next read or write shows that the store continues to work.
      onConnectionLost: () => undefined,
      ...more,
    });
  const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
  const input = (nth: number) => makeEvent("cancel.requested", { key: `k${nth}`, ts: "2026-02-09T00:00:00Z" });

  beforeAll(async () => {
    server = await startPostgres({ sync: false });
    url = await server.createDatabase();
  });
  afterAll(async () => {
    await server?.close();
    rmSync(root, { recursive: true });
  });

  it("of a program that stopped in the middle of a transaction does not block its conversation", async () => {
    const store = await open(url);
    const key = keyOf("stopped");
    await store.createConversation(key);
    const lost: Error[] = [];
    const { pool, end } = openPool({ connectionString: url }, (error) => lost.push(error));
    const stopped = new PostgresDatabase(pool, 0, end);
    const woken = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const writing = stopped.write(function* () {
      yield* lockConversation(stopped, key);
      yield* stopped.perform(() => {
        locked.resolve();
        return woken.promise;
      });
    });
    await locked.promise;
    expect(await store.append(key, [input(1)])).toMatchObject({ lastSeq: 1 });
    woken.resolve();
    await expect(writing).rejects.toMatchObject({ code: expect.stringMatching(/^(?:busy|io)$/) });
    // PostgreSQL ended the transaction and its connection.
    expect(lost).toMatchObject([{ message: expect.stringContaining("idle-in-transaction timeout") }]);
    await stopped.close();
    await store.close();
  });

  it("of a program that was slow in the middle of a transaction has no effect: the transaction is retried", async () => {
    const store = await open(url);
    const key = keyOf("slow");
    await store.createConversation(key);
    const lost: Error[] = [];
    const { pool, end } = openPool({ connectionString: url }, (error) => lost.push(error));
    const slow = new PostgresDatabase(pool, 60_000, end);
    let attempts = 0;
    await slow.write(function* () {
      yield* lockConversation(slow, key);
      yield* slow.run("UPDATE conversations SET title = 'kept' WHERE conversation = ?", key.conversation);
      // Waits until PostgreSQL has ended the transaction.
      if (attempts++ === 0) yield* slow.perform(() => expect.poll(() => lost.length).toBe(1));
    });
    expect(attempts).toBe(2);
    expect(await store.getConversation(key)).toMatchObject({ title: "kept" });
    await slow.close();
    await store.close();
  });

  it("of a process that holds a conversation forever blocks no other conversation, and callers that wait get an error", async () => {
    const store = await open(url, { patienceMs: 5_000 });
    const [held, other] = [keyOf("held"), keyOf("other")];
    for (const key of [held, other]) await store.createConversation(key);
    const holder = makeClient({ connectionString: url }, warnOfLoss);
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM conversations WHERE conversation = 'held' FOR UPDATE");
    // These are more calls than the pool has connections.
    const waiting = Promise.allSettled(Array.from({ length: 4 }, (_, nth) => store.append(held, [input(nth)])));
    expect(await store.append(other, [input(0)])).toMatchObject({ lastSeq: 1 });
    for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { code: "busy" } });
    await holder.end();
    expect(await store.append(held, [input(0)])).toMatchObject({ lastSeq: 1 });
    await store.close();
  });

  it("of a connection that an operator ends is reported once, the store continues, and closing it leaves none open", async () => {
    const lost: string[] = [];
    const database = await server.createDatabase();
    const store = await open(database, { onConnectionLost: ({ message }) => lost.push(message) });
    const key = keyOf("ended");
    await store.createConversation(key);
    const followed: number[] = [];
    const stop = new AbortController();
    const following = (async () => {
      for await (const { seq } of store.follow(key, { signal: stop.signal })) followed.push(seq);
    })();
    const admin = makeClient({ connectionString: database }, warnOfLoss);
    await admin.connect();
    const others = `FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
    const isListening = async () => (await admin.query(`SELECT 1 ${others} AND query LIKE 'LISTEN%'`)).rowCount;
    await expect.poll(isListening).toBe(1);
    const { rowCount: ended } = await admin.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await expect.poll(() => lost).toContain("terminating connection due to administrator command");
    await store.append(key, [input(1)]);
    await expect.poll(() => followed).toEqual([1]);
    stop.abort();
    await following;
    await store.close();
    expect((await admin.query(`SELECT 1 ${others}`)).rowCount).toBe(0);
    expect(lost.length).toBeLessThanOrEqual(ended ?? 0);
    await admin.end();
  });

  it("of a server that disappeared is noticed by writers and followers, and the next connection works", {
    timeout: 120_000,
  }, async () => {
    await using line = await SilentLine.open(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(line.port);
    const store = await open(through.href, { silenceMs: 1_000 });
    const key = keyOf("vanished");
    await store.createConversation(key);
    const stop = new AbortController();
    const followed: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.follow(key, { signal: stop.signal })) followed.push(seq);
    })();
    await store.append(key, [input(1)]);
    await expect.poll(() => followed, { timeout: 60_000 }).toEqual([1]);

    line.cut();
    await expect(open(through.href, { silenceMs: 500 })).rejects.toMatchObject({ code: "busy" });
    const unheard = store.append(key, [input(2)]).then(
      () => "kept",
      (error) => error.code,
    );
    setTimeout(() => line.mend(), 2_500).unref();
    // A transaction that was lost before its commit is retried; a caller whose commit got no answer gets an error.
    expect(["kept", "io"]).toContain(await unheard);
    const { lastSeq } = await store.append(key, [input(3)]);
    await expect.poll(() => followed.at(-1), { timeout: 60_000 }).toBe(lastSeq);
    expect(followed).toEqual(Array.from({ length: lastSeq }, (_, nth) => nth + 1));
    stop.abort();
    await following;
    await store.close();
  });

  it("of a server that disappeared does not keep a process from ending", async () => {
    await using line = await SilentLine.open(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(line.port);
    const store = await open(through.href);
    const key = keyOf("ending");
    await store.createConversation(key);
    await store.append(
      key,
      Array.from({ length: 200 }, (_, nth) => input(nth)),
    );
    const waiting = Array.fromAsync(store.follow(key, { after: 199 }), ({ seq }) => seq);
    const reading = Promise.withResolvers<void>();
    const followed: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.follow(key)) {
        followed.push(seq);
        if (seq < 200) continue;
        // Some connections are idle, one listens, one has sent a query, and this follower reads on.
        line.cut();
        reading.resolve();
      }
    })();
    await reading.promise;
    const unanswered = store.load(key).catch((error: unknown) => error);
    const [answer] = await Promise.all([unanswered, following, waiting, store.close()]);
    expect(answer).toMatchObject({ code: expect.stringMatching(/^(?:busy|io|closed)$/) });
    expect(followed).toHaveLength(200);
  });

  it("of a connection that broke just when a read ended is not noticed by readers and followers; a writer gets an error", async () => {
    await using line = await SilentLine.open(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(line.port);
    const store = await open(through.href);
    const key = keyOf("broken");
    await store.createConversation(key);
    line.breakAfter("COMMIT");
    expect(await store.getConversation(key)).toMatchObject({ last_seq: 0 });
    await store.append(key, [input(1)]);
    line.breakAfter("COMMIT");
    expect(await store.readEvents(key)).toHaveLength(1);
    line.breakAfter("COMMIT");
    expect((await store.load(key)).seq).toBe(1);

    const followed: number[] = [];
    line.breakAfter("COMMIT");
    for await (const { seq } of store.follow(key)) {
      followed.push(seq);
      if (seq === 5) break;
      await store.append(key, [input(seq + 1)]);
      line.breakAfter("COMMIT");
    }
    expect(followed).toEqual([1, 2, 3, 4, 5]);

    // The commit of a read is sent alone; the commit of a write is sent with the written data. "READ COMMITTED" is not
    // a commit.
    line.breakAfter("\nCOMMIT");
    await expect(store.append(key, [input(6)])).rejects.toMatchObject({ code: "io" });
    const kept = await store.readEvents(key);
    expect([5, 6]).toContain(kept.length);
    await store.close();
  });
});
