import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killWriters } from "@cairn/testkit/store";
import { expect, it } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";

const long = process.env.CAIRN_LONG === "1";
/** Two writers at a time, each in a conversation of its own, on one data folder; a new folder for every `LIVES` kills. */
const LIVES = long ? 200 : 24;
const FOLDERS = long ? 10 : 1;

it(`keeps every acknowledged event through ${LIVES * FOLDERS} kills`, { timeout: FOLDERS * 600_000 }, async () => {
  for (let nth = 0; nth < FOLDERS; nth++) {
    const dir = mkdtempSync(join(tmpdir(), "cairn-crash-"));
    const store = await openEmbeddedStore({ dir });
    const recipe = {
      module: new URL("./index.ts", import.meta.url).href,
      export: "openEmbeddedStore",
      options: { dir },
    };
    const keys = ["one", "two"].map((conversation) => ({ tenant: "t", project: "p", user: "u", conversation }));
    try {
      const reports = await Promise.all(keys.map((key) => killWriters(store, recipe, key, LIVES / 2, Math.random)));
      expect(reports.flatMap((report) => report.losses)).toEqual([]);
      expect(reports.reduce((sum, report) => sum + report.kills, 0)).toBe(LIVES);
      expect(reports.reduce((sum, report) => sum + report.acknowledged, 0)).toBeGreaterThan(LIVES / 4);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      // The leftovers of killed processes are removed without manual work.
      await store.gc({ graceMs: 0 });
      expect(await Array.fromAsync(store.verify())).toEqual([]);
      expect(readdirSync(dir).sort()).toContain("cairn.db");
      for (const key of keys) {
        const { token } = await takeOver(store, key);
        await store.releaseLease(key, token);
      }
    } finally {
      await store.close();
      rmSync(dir, { recursive: true });
    }
  }
});

/** The last writer's lease expires in a few milliseconds. */
async function takeOver(store: Awaited<ReturnType<typeof openEmbeddedStore>>, key: Parameters<typeof store.load>[0]) {
  for (;;) {
    const lease = await store.acquireLease(key, "survivor", 1_000).catch((error) => {
      if (error.code !== "lease_held") throw error;
      return null;
    });
    if (lease !== null) return lease;
    await new Promise((wake) => setTimeout(wake, 2));
  }
}
