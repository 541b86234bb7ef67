import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { killFirstStart, startTogether } from "@cairn/testkit/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";
import { eventCrc } from "./sql/event-row.ts";
import { MIGRATIONS } from "./sqlite/schema.ts";

describe("a database that is being made", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-migration-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const recipeFor = (dir: string) => ({
    module: new URL("./index.ts", import.meta.url).href,
    export: "openEmbeddedStore",
    options: { dir },
  });

  it("is finished by the next process when its maker is killed", async () => {
    await startTogether(recipeFor(join(root, "warm")), 1, 1);
    for (let life = 0; life < (process.env.CAIRN_LONG === "1" ? 200 : 5); life++) {
      const dir = join(root, `killed ${life}`);
      const { signal } = await killFirstStart(recipeFor(dir), join(dir, "cairn.db"), Math.random() * 25);
      expect(signal).toBe("SIGKILL");
      const store = await openEmbeddedStore({ dir });
      const key = { tenant: "t", project: "p", user: "u", conversation: "second" };
      expect((await store.createConversation(key)).last_seq).toBe(0);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      await store.close();
    }
  });

  it("is made once by many processes that start together", async () => {
    for (let round = 0; round < 3; round++) {
      const dir = join(root, `together ${round}`);
      const lines = await startTogether(recipeFor(dir), 6, 2);
      expect(lines.map((each) => each.filter((line) => line.startsWith("ack ")).length)).toEqual([2, 2, 2, 2, 2, 2]);
      const store = await openEmbeddedStore({ dir });
      expect((await store.listConversations({ tenant: "t", project: "p", user: "u" })).items).toHaveLength(6);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      await store.close();
      const db = new DatabaseSync(join(dir, "cairn.db"));
      expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: MIGRATIONS.length });
      expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
      db.close();
    }
  });

  it("brings a database of every earlier version to this one, with all that is in it", async () => {
    const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
    const text = "한국어".normalize("NFD");
    const block = { type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text };
    const body = JSON.stringify({ position: 0, block, tokens: 1, version: 1 });
    const event = { seq: 1, batch_end: 1, stored_at: 1, kind: "block.appended", v: 1, body };
    for (let version = 1; version < MIGRATIONS.length; version++) {
      const dir = join(root, `version ${version}`);
      mkdirSync(dir);
      const db = new DatabaseSync(join(dir, "cairn.db"));
      for (const migration of MIGRATIONS.slice(0, version)) db.exec(migration);
      db.exec(`PRAGMA application_id = 0x43726e31; PRAGMA user_version = ${version};
        INSERT INTO scopes VALUES (1, 't', 'p', 'u');
        INSERT INTO conversations (id, scope, conversation, attributes, created_at, last_activity_at, last_seq,
          last_timeline_seq, next_position, turns, current_turn, lease_token, lease_holder, lease_expires_at)
          VALUES (1, 1, 'c', '{}', 1, 1, 1, 1, 1, 1, 'turn_1', 1, 'w', ${Date.now() + 60_000});
        INSERT INTO paths VALUES (1, 'turn_1.user.prompt', 'ar', 'content', 1, 0, 1, NULL);
        INSERT INTO turns VALUES (1, 1, 'turn_1', 1, 1, NULL, NULL, NULL, NULL);
        UPDATE counters SET value = 1`);
      if (version < 7)
        db.prepare("INSERT INTO search (rowid, scope, text) VALUES (1, 's1 c1', ?)").run(
          // Before version 3, words were indexed without normalisation.
          version < 3 ? text : text.normalize("NFKC"),
        );
      db.prepare("INSERT INTO events VALUES (1, 1, 1, 1, 1, 'block.appended', 1, ?, ?)").run(eventCrc(event), body);
      db.close();
      const stores = await Promise.all([openEmbeddedStore({ dir }), openEmbeddedStore({ dir })]);
      for (const store of stores) {
        expect((await store.load(key)).state.window).toHaveLength(1);
        expect((await store.search(key, "한국")).items).toHaveLength(1);
        await expect(store.acquireLease(key, "other", 1_000)).rejects.toMatchObject({ code: "lease_held" });
        expect((await store.renewLease(key, 1, 1_000)).holder).toBe("w");
        expect(await Array.fromAsync(store.verify())).toEqual([]);
        await store.close();
      }
    }
  });

  it("deletes words that an earlier version indexed differently, and indexes them again", async () => {
    const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
    const dir = join(root, "words");
    const block = { type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text: "がく" };
    const before = await openEmbeddedStore({ dir });
    const event = makeEvent("block.appended", { position: 0, block, tokens: 1, version: 1 });
    await before.createConversation(key, { events: [event] });
    expect((await before.search(key, "がく")).items).toHaveLength(1);
    await before.close();
    const db = new DatabaseSync(join(dir, "cairn.db"));
    const count = () => db.prepare("SELECT count(*) AS count FROM search_segments").get()?.count;
    expect(count()).toBe(1);
    db.exec(MIGRATIONS.find((sql) => sql.includes("DELETE FROM search_segments")) ?? "");
    expect(count()).toBe(0);
    db.close();
    const after = await openEmbeddedStore({ dir });
    expect((await after.search(key, "がく")).items).toHaveLength(1);
    expect(await Array.fromAsync(after.verify())).toEqual([]);
    await after.close();
  });

  it("applies no migration twice when it is opened again and again", async () => {
    const dir = join(root, "again");
    for (let nth = 0; nth < 3; nth++) await (await openEmbeddedStore({ dir })).close();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openEmbeddedStore({ dir })));
    for (const store of stores) await store.close();
  });
});
