import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { judgeContention, pauseWriter } from "@cairn/testkit/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";

describe("several processes on one data folder", () => {
  const dir = mkdtempSync(join(tmpdir(), "cairn-contention-"));
  let store: EmbeddedStore;
  beforeAll(async () => {
    store = await openEmbeddedStore({ dir, busyTimeoutMs: 500 });
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
  const recipe = { module: new URL("./index.ts", import.meta.url).href, export: "openEmbeddedStore", options: { dir } };

  const judge = (conversation: string, clockOffsets: readonly number[], updates: number, expected = "lease_held") =>
    judgeContention(store, { recipe, key: keyOf(conversation), clockOffsets, updates, expected });

  it("lets two of them write without losing an update", () => judge("two", [0, 0], 30));

  it("lets eight of them write without losing an update", () => judge("eight", [0, 0, 0, 0, 0, 0, 0, 0], 10));

  it("has one writer at a time even if the clocks are hours apart", () =>
    // With clocks that are hours apart, no lease lasts: the writers take it from each other, and the token decides.
    judge("skewed", [-3_600_000, 0, 3_600_000, 7_200_000], 10, "lease_lost"));

  it("rejects a writer that was paused beyond its lease", async () => {
    const key = keyOf("paused");
    await store.createConversation(key);
    const paused = await pauseWriter(store, recipe, key, 100);
    expect(paused.refusal).toBe("lease_lost");
    const events = await store.readEvents(key);
    expect(events.at(-1)?.seq).toBe(paused.takeoverSeq);
    const before = events.slice(0, -1).map((stored) => stored.seq);
    expect(before).toEqual(expect.arrayContaining([...paused.acknowledged]));
  });

  it("throws busy while another process keeps the database locked, and saves nothing of the call", async () => {
    const key = keyOf("busy");
    await store.createConversation(key);
    const other = new DatabaseSync(join(dir, "cairn.db"));
    other.exec("BEGIN IMMEDIATE");
    const event = { kind: "cancel.requested", v: 1, body: { key: "k", ts: "2026-02-09T00:00:00Z" } } as const;
    await expect(store.append(key, [event])).rejects.toMatchObject({ code: "busy" });
    expect((await store.load(key)).seq).toBe(0);
    other.exec("ROLLBACK");
    other.close();
    expect((await store.append(key, [event])).lastSeq).toBe(1);
  });
});
