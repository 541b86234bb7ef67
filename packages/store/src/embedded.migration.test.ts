import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { killFirstStart, startTogether } from "@cairn/testkit/store";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";
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
    for (let life = 0; life < (process.env.CAIRN_LONG === "1" ? 200 : 20); life++) {
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

  it("migrates nothing twice when it is opened again and again", async () => {
    const dir = join(root, "again");
    for (let nth = 0; nth < 3; nth++) await (await openEmbeddedStore({ dir })).close();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openEmbeddedStore({ dir })));
    for (const store of stores) await store.close();
  });
});
