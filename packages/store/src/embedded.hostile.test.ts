import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { playScript, randomScript } from "@cairn/testkit/store";
import { CairnError, makeEvent, snapshotState, type TimelineEvent } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";

const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
const KEY = keyOf("c");
const input = (name: string, message = "m") =>
  makeEvent("input.received", { key: name, mode: "turn", message, attachments: [], ts: "2026-02-09T00:00:00Z" });

describe("an embedded store that others tamper with", () => {
  let dir: string;
  let store: EmbeddedStore;
  const file = () => join(dir, "cairn.db");
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "cairn-hostile-"));
    store = await openEmbeddedStore({ dir, pollMs: 2 });
    await store.createConversation(KEY);
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const outcomeOf = (call: Promise<unknown>) =>
    call.then(
      () => "done",
      (error) => (CairnError.is(error) ? error.code : `untyped: ${error}`),
    );

  it("stops an older program when a newer one has migrated under it", async () => {
    const newer = new DatabaseSync(file());
    newer.exec("PRAGMA user_version = 999");
    newer.close();
    expect(await outcomeOf(store.append(KEY, [input("k")]))).toBe("newer_version");
    expect(await outcomeOf(store.load(KEY))).toBe("newer_version");
    expect(await outcomeOf(store.gc())).toBe("newer_version");
    const older = new DatabaseSync(file());
    expect(older.prepare("SELECT count(*) AS n FROM events").get()?.n).toBe(0);
    older.close();
  });

  it("creates folders again that were removed, instead of retrying forever", async () => {
    const bytes = Buffer.from("hello");
    const { ref } = await store.putBlob(KEY, [bytes]);
    for (const folder of [join(dir, "blobs"), join(dir, "blobs", "tmp")]) {
      rmSync(folder, { recursive: true });
      await store.putBlob(KEY, [bytes]);
      expect(Buffer.concat(await Array.fromAsync(store.readBlob(KEY, ref)))).toEqual(bytes);
    }
    // The blob's own folder is removed between its creation and the move of the file into it.
    const goes = (async function* () {
      yield bytes;
      for (const tenant of readdirSync(join(dir, "blobs")))
        if (tenant !== "tmp") rmSync(join(dir, "blobs", tenant), { recursive: true });
    })();
    expect(await outcomeOf(store.putBlob(KEY, goes))).toBe("done");
  });

  it("makes two backups into one folder at once: one is complete, the other is rejected, neighbours stay", async () => {
    await playScript(store, keyOf("script"), randomScript(3, 6));
    const folder = join(dir, "backup");
    mkdirSync(`${folder}.partial`);
    writeFileSync(join(`${folder}.partial`, "precious"), "mine");
    const outcomes = await Promise.all([outcomeOf(store.backup(folder)), outcomeOf(store.backup(folder))]);
    expect(outcomes.sort()).toEqual(["bad_argument", "done"]);
    expect(existsSync(join(`${folder}.partial`, "precious"))).toBe(true);
    expect(readdirSync(dir).filter((name) => /-.*partial/.test(name))).toEqual([]);
    const copy = await openEmbeddedStore({ dir: folder });
    expect(await Array.fromAsync(copy.verify())).toEqual([]);
    await copy.close();
    expect(await outcomeOf(store.backup(folder))).toBe("bad_argument");
  });

  it("throws closed, and nothing untyped, for calls that are in progress when it is closed", async () => {
    await store.append(
      KEY,
      Array.from({ length: 1_500 }, (_, n) => input(`k${n}`)),
    );
    for (const afterMs of [0, 1, 5, 20]) {
      const closing = await openEmbeddedStore({ dir });
      const calls = [
        closing.search(KEY, "m"),
        closing.gc({ graceMs: 0 }),
        closing.fork(KEY, 1_500, `fork ${afterMs}`),
        Array.fromAsync(closing.exportConversation(KEY)),
        Array.fromAsync(closing.verify()),
        Array.fromAsync(closing.follow(KEY)),
        closing.append(KEY, [input(`late ${afterMs}`)]),
        closing.putBlob(KEY, [new Uint8Array(100_000)]),
      ].map(outcomeOf);
      await new Promise((wake) => setTimeout(wake, afterMs));
      await closing.close();
      for (const outcome of await Promise.all(calls)) expect(["done", "closed", "busy"]).toContain(outcome);
    }
    await store.gc({ graceMs: 0 });
    expect(await Array.fromAsync(store.verify())).toEqual([]);
  });

  it("does not accept a snapshot that was moved to another seq or conversation", async () => {
    await playScript(store, keyOf("one"), randomScript(1, 8));
    await playScript(store, keyOf("two"), randomScript(2, 8));
    const many: TimelineEvent[] = Array.from({ length: 400 }, (_, n) => input(`many ${n}`));
    for (const conversation of ["one", "two"]) {
      await store.append(keyOf(conversation), many.slice(0, 300));
      await store.append(keyOf(conversation), many.slice(300));
    }
    const stateOf = async (conversation: string) => {
      const { state, seq, timelineSeq } = await store.load(keyOf(conversation));
      return JSON.stringify([snapshotState(state), seq, timelineSeq]);
    };
    const [one, two] = [await stateOf("one"), await stateOf("two")];
    const db = new DatabaseSync(file());
    const count = () => Number(db.prepare("SELECT count(*) AS n FROM snapshots").get()?.n);
    expect(count()).toBeGreaterThan(1);
    for (const sql of [
      "UPDATE snapshots SET timeline_seq = timeline_seq - 1",
      "UPDATE snapshots SET seq = seq + 1 WHERE conversation = (SELECT id FROM conversations WHERE conversation = 'one')",
      "UPDATE snapshots SET conversation = 1 - conversation",
      "UPDATE snapshots SET conversation = CASE conversation WHEN -1 THEN -2 ELSE -1 END",
    ]) {
      db.exec(sql);
      expect([sql, await stateOf("one"), await stateOf("two")]).toEqual([sql, one, two]);
    }
    db.close();
  });
});

describe("a hostile export file", () => {
  let dir: string;
  let store: EmbeddedStore;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "cairn-harm-"));
    store = await openEmbeddedStore({ dir });
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const header = { cairn_export: 1, created_at: 1, last_activity_at: 1, forked_from: null, attributes: {} };
  const event = { seq: 1, batch_end: 1, stored_at: 1, kind: "meta.set", v: 1, body: { conversation_title: "t" } };
  const artifact = { artifact: 1, kind: "x", turn_id: null, ts: "2026-02-09T00:00:00Z", content_str: "", payload: 1 };
  const blob = { blob: `sha256:${"0".repeat(64)}`, size: 3 };

  /** The file ends with a valid hash, so that only its content can be wrong. */
  async function importLines(...lines: readonly unknown[]): Promise<string> {
    const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    const sha256 = createHash("sha256").update(text).digest("hex");
    return store.importConversation(KEY, [Buffer.from(`${text}{"sha256":"${sha256}"}\n`)]).then(
      () => "done",
      (error) => (CairnError.is(error) ? error.code : `untyped: ${error}`),
    );
  }
  const counts = { blobs: 0, events: 1, artifacts: 0 };
  const tree = { cairn_export: 2, conversations: 2, asked: 0, shown: 0 };
  const { cairn_export: _, ...place } = { conversation: "a", ...header, ...counts };
  const branch = { ...place, conversation: "b", parent: 0, cut: 1, events: 0 };

  it("is rejected with a code and leaves nothing, whatever it contains", async () => {
    const trees = [
      [tree, place],
      [tree, place, event],
      [{ ...tree, asked: 2 }, place, event, branch],
      [{ ...tree, conversations: 1e9 }, place, event],
      [tree, { ...place, parent: 0 }, event, branch],
      [tree, place, event, { ...branch, parent: 1 }],
      [tree, place, event, { ...branch, parent: null }],
      [tree, place, event, { ...branch, cut: 2 }],
      [tree, place, event, { ...branch, cut: -1 }],
      [tree, place, event, { ...branch, conversation: 7 }],
      [tree, place, event, { ...branch, events: 1 }, event],
    ];
    const cases: readonly (readonly unknown[])[] = [
      [{ ...header, ...counts, events: Number.MAX_SAFE_INTEGER }, event],
      [{ ...header, ...counts, blobs: 1e15 }, event],
      [{ ...header, ...counts, events: 2 }, event, event],
      [
        { ...header, ...counts },
        { ...event, seq: 0 },
      ],
      [
        { ...header, ...counts },
        { ...event, seq: -1 },
      ],
      [
        { ...header, ...counts },
        { ...event, batch_end: 2 },
      ],
      [
        { ...header, ...counts },
        { ...event, batch_end: 0 },
      ],
      [
        { ...header, ...counts },
        { ...event, stored_at: 9e15 },
      ],
      [
        { ...header, ...counts },
        { ...event, kind: "block.appended" },
      ],
      [
        { ...header, ...counts },
        { ...event, kind: 7 },
      ],
      [
        { ...header, ...counts },
        { ...event, body: undefined },
      ],
      [{ ...header, ...counts, last_activity_at: 9e15 }, event],
      [{ ...header, ...counts, created_at: -1 }, event],
      [{ ...header, ...counts, forked_from: { conversation: "x".repeat(513), seq: 1 } }, event],
      [{ ...header, ...counts, forked_from: { conversation: "\ud800", seq: 1 } }, event],
      [{ ...header, ...counts, forked_from: { conversation: "x", seq: 1, root: "x".repeat(513) } }, event],
      [{ ...header, ...counts, forked_from: { conversation: "x", seq: 1, root: null } }, event],
      [{ ...header, ...counts, attributes: [] }, event],
      [{ ...header, ...counts, artifacts: 1 }, event, { ...artifact, artifact: 2 }],
      [{ ...header, ...counts, artifacts: 1 }, event, { ...artifact, kind: null }],
      [{ ...header, ...counts, blobs: 1 }, blob, { bytes: "AAAA" }, event],
      [
        { ...header, ...counts, blobs: 1 },
        { ...blob, blob: "sha256:../../../../etc/passwd" },
        { bytes: "AAAA" },
        event,
      ],
      [{ ...header, ...counts, blobs: 1 }, { ...blob, size: 1e15 }, { bytes: "AAAA" }, event],
      [{ ...header, ...counts }, `[${"[".repeat(1_000)}`],
      ["[1]", event],
      ...trees,
    ];
    for (const [nth, lines] of cases.entries()) {
      expect([nth, await importLines(...lines)]).toEqual([nth, "corrupt"]);
      expect((await store.listConversations(KEY)).items).toEqual([]);
    }
    expect(await importLines({ ...header, cairn_export: 3, ...counts }, event)).toBe("newer_version");
    expect(await importLines({ ...header, ...counts }, { ...event, v: 99 })).toBe("newer_version");
    expect(await Array.fromAsync(store.verify())).toEqual([]);
    expect(await importLines({ ...header, ...counts }, event)).toBe("done");
    // Nothing was written outside the folder of blobs.
    expect(readdirSync(dir).sort()).toEqual(["blobs", "cairn.db", "cairn.db-shm", "cairn.db-wal"]);
  });
});
