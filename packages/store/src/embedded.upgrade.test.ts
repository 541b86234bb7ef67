/** Snapshots of the previous format, which programs that do not know `title.given` write during an upgrade. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeEvent } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { SNAPSHOT_FORMAT, snapshotCrc } from "./sql/snapshot-body.ts";

const KEY = { tenant: "t", project: "p", user: "u", conversation: "c" };
const TS = "2026-02-09T10:00:00Z";
const given = makeEvent("title.given", { key: "t", title: "Given", ts: TS });
/** Enough events for a snapshot. */
const MANY = 300;

describe("a snapshot of the previous format", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "cairn-upgrade-"));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  async function withStore<T>(work: (store: EmbeddedStore) => Promise<T>): Promise<T> {
    const store = await openEmbeddedStore({ dir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  async function write(titled: boolean): Promise<void> {
    const events = Array.from({ length: MANY }, () => makeEvent("meta.set", { conversation_title: "Older" }));
    await withStore(async (store) => {
      await store.createConversation(KEY, { events: titled ? [...events, given] : events });
      await store.load(KEY);
    });
  }

  /** Replaces the snapshots with those of an older program, whose title shows that they were used. */
  function makeOlder(): void {
    const db = new DatabaseSync(join(dir, "cairn.db"));
    const rows = db.prepare("SELECT id, conversation, seq, timeline_seq, body FROM snapshots").all();
    expect(rows).not.toEqual([]);
    for (const { id, conversation, seq, timeline_seq, body: written } of rows) {
      const body = String(written).replace(/"conversation_title":"\w+"/, '"conversation_title":"Of the snapshot"');
      const crc = snapshotCrc({
        owner: Number(conversation),
        seq: Number(seq),
        timeline_seq: Number(timeline_seq),
        body,
      });
      const update = db.prepare("UPDATE snapshots SET body = ?, crc = ?, version = ? WHERE id = ?");
      update.run(body, crc, SNAPSHOT_FORMAT - 1, id ?? 0);
    }
    db.close();
  }

  const loadedTitle = async (store: EmbeddedStore) => (await store.load(KEY)).state.meta.conversation_title;

  it("is used where its program knew every event before it", async () => {
    await write(false);
    makeOlder();
    await withStore(async (store) => {
      expect(await loadedTitle(store)).toBe("Of the snapshot");
      await store.append(KEY, [given]);
      expect(await loadedTitle(store)).toBe("Given");
    });
  });

  it("is not used, and no defect, where its program did not know a title before it", async () => {
    await write(true);
    makeOlder();
    await withStore(async (store) => {
      expect(await loadedTitle(store)).toBe("Given");
      expect(await Array.fromAsync(store.verify())).toEqual([]);
    });
  });
});
