import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { contend, pauseWriter } from "@cairn/testkit/store";
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

  const judge = async (conversation: string, offsets: readonly number[], updates: number, expected = "lease_held") => {
    const key = keyOf(conversation);
    await store.createConversation(key);
    const recipes = offsets.map((clockOffsetMs) => ({ ...recipe, clockOffsetMs }));
    const stop = new AbortController();
    const following = Array.fromAsync(store.follow(key, { signal: stop.signal }), (stored) => stored.seq);
    const reports = await contend(recipes, key, updates, 40);
    const events = await store.readEvents(key, { limit: 10_000 });
    // The last events may still be on their way to the follower.
    await new Promise((wake) => setTimeout(wake, 200));
    stop.abort();
    expect(await following, "a follower sees each event once and in order").toEqual(events.map((stored) => stored.seq));
    expect(events.map((stored) => stored.seq)).toEqual(events.map((_, index) => index + 1));

    const written = events.filter((stored) => stored.event.kind === "meta.set");
    const counters = written.map((stored) =>
      Number((stored.event.body as { conversation_title: string }).conversation_title),
    );
    expect(counters, "no update is lost or made twice").toEqual(counters.map((_, index) => index + 1));
    expect(counters).toHaveLength(offsets.length * updates);
    const ascending = (seqs: readonly number[]) => [...seqs].sort((a, b) => a - b);
    expect(ascending(reports.flatMap((report) => report.updates))).toEqual(written.map((stored) => stored.seq));

    const inputs = events.filter((stored) => stored.event.kind === "cancel.requested").map((stored) => stored.seq);
    expect(ascending(reports.flatMap((report) => report.inputs))).toEqual(inputs);
    for (const report of reports) expect(report.inputs.length, "inputs of each land").toBeGreaterThan(0);

    const refusals = new Set(reports.flatMap((report) => Object.keys(report.refusals)));
    expect([...refusals].filter((code) => !["lease_held", "lease_lost", "conflict", "busy"].includes(code))).toEqual(
      [],
    );
    expect([...refusals]).toContain(expected);
    expect(await store.verifyConversation(key)).toEqual([]);
  };

  it("lets two of them write without losing an update", () => judge("two", [0, 0], 30));

  it("lets eight of them write without losing an update", () => judge("eight", [0, 0, 0, 0, 0, 0, 0, 0], 10));

  it("stays with one writer at a time when the clocks are hours apart", () =>
    // No lease looks held to a clock that is hours off: they take it from each other, and the token decides.
    judge("skewed", [-3_600_000, 0, 3_600_000, 7_200_000], 10, "lease_lost"));

  it("fences out a writer that was paused beyond its lease", async () => {
    const key = keyOf("paused");
    await store.createConversation(key);
    const paused = await pauseWriter(store, recipe, key, 100);
    expect(paused.refusal).toBe("lease_lost");
    const events = await store.readEvents(key);
    expect(events.at(-1)?.seq).toBe(paused.takeoverSeq);
    const before = events.slice(0, -1).map((stored) => stored.seq);
    expect(before).toEqual(expect.arrayContaining([...paused.acknowledged]));
  });

  it("answers busy while somebody sits on the database, and keeps nothing of the call", async () => {
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
