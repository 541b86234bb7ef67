/** Programs that stop, servers that vanish without a word and lines that break: nobody waits for ever or reads in vain. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresServer, SilentLine, startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BlobFolder } from "./fs/blob-folder.ts";
import { PostgresDatabase } from "./postgres/postgres-database.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";
import { lockConversation } from "./sql/conversations.ts";

const missing = await whyNoPostgres();

describe.skipIf(missing !== null)(`a silent end of the line${missing === null ? "" : ` (${missing})`}`, () => {
  let server: PostgresServer;
  let url: string;
  const root = mkdtempSync(join(tmpdir(), "cairn-silence-"));
  const open = (at: string, more: { readonly silenceMs?: number; readonly patienceMs?: number } = {}) =>
    openPostgresStore({
      ...{ url: at, blobs: new BlobFolder(join(root, "blobs")), connections: 3, patienceMs: 60_000 },
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

  it("of a program that stopped in the middle of a transaction does not keep its conversation", async () => {
    const store = await open(url);
    const key = keyOf("stopped");
    await store.createConversation(key);
    const pool = new pg.Pool({ connectionString: url });
    const stopped = new PostgresDatabase(pool, 0);
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
    await stopped.close();
    await store.close();
  });

  it("of somebody who holds a conversation for ever keeps nobody from the others, and who waits is told", async () => {
    const store = await open(url, { patienceMs: 5_000 });
    const [held, other] = [keyOf("held"), keyOf("other")];
    for (const key of [held, other]) await store.createConversation(key);
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 1 FROM conversations WHERE conversation = 'held' FOR UPDATE");
    // More than there are connections.
    const waiting = Promise.allSettled(Array.from({ length: 4 }, (_, nth) => store.append(held, [input(nth)])));
    expect(await store.append(other, [input(0)])).toMatchObject({ lastSeq: 1 });
    for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { code: "busy" } });
    await holder.end();
    expect(await store.append(held, [input(0)])).toMatchObject({ lastSeq: 1 });
    await store.close();
  });

  it("of a server that vanished is noticed by writers and followers, and the next connection serves", {
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
    // Run again when it was lost before its commit; who lost the answer to a commit is told.
    expect(["kept", "io"]).toContain(await unheard);
    const { lastSeq } = await store.append(key, [input(3)]);
    await expect.poll(() => followed.at(-1), { timeout: 60_000 }).toBe(lastSeq);
    expect(followed).toEqual(Array.from({ length: lastSeq }, (_, nth) => nth + 1));
    stop.abort();
    await following;
    await store.close();
  });

  it("of a server that vanished keeps nobody who is about to end", async () => {
    await using line = await SilentLine.open(Number(new URL(url).port));
    const through = new URL(url);
    through.port = String(line.port);
    const store = await open(through.href);
    const key = keyOf("ending");
    await store.createConversation(key);
    const followed: number[] = [];
    const following = (async () => {
      for await (const { seq } of store.follow(key)) followed.push(seq);
    })();
    await store.append(key, [input(1)]);
    await expect.poll(() => followed, { timeout: 60_000 }).toEqual([1]);
    // Some wait for nothing, one listens, and one has asked something.
    line.cut();
    const unanswered = store.load(key).catch((error: unknown) => error);
    await store.close();
    await expect(unanswered).resolves.toMatchObject({ code: expect.stringMatching(/^(?:busy|io|closed)$/) });
    await following.catch(() => undefined);
  });

  it("of a line that broke just when a read ended is not noticed by readers and followers; a writer is told", async () => {
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

    // A read's commit stands alone; a write's comes with what is written, and "READ COMMITTED" is none.
    line.breakAfter("\nCOMMIT");
    await expect(store.append(key, [input(6)])).rejects.toMatchObject({ code: "io" });
    const kept = await store.readEvents(key);
    expect([5, 6]).toContain(kept.length);
    await store.close();
  });
});
