import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bySize } from "@cairn/testkit/runs";
import { playScript, randomScript } from "@cairn/testkit/store";
import { CairnError, type JsonObject, snapshotState } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { type EventRow, eventCrc } from "./sql/event-row.ts";
import { snapshotCrc } from "./sql/snapshot-body.ts";

const PAGE = 4_096;
const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
const KEYS = ["a", "b", "c"].map(keyOf);
const [KEY = keyOf("a")] = KEYS;

describe("damage", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-damage-"));
  const sound = join(root, "sound");
  let copies = 0;
  const truth = new Map<string, string>();
  beforeAll(async () => {
    const store = await openEmbeddedStore({ dir: sound });
    for (const [nth, key] of KEYS.entries()) await playScript(store, key, randomScript(nth + 1, 6));
    for (const key of KEYS) truth.set(key.conversation, await stateOf(store, key));
    expect(await Array.fromAsync(store.verify())).toEqual([]);
    await store.close();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  async function stateOf(store: EmbeddedStore, key: typeof KEY): Promise<string> {
    const { state, seq } = await store.load(key);
    const events = await store.readEvents(key, { limit: 10_000 });
    // The time of storing is not part of the checksum, because no decision depends on it.
    return JSON.stringify([snapshotState(state), seq, events.map((stored) => [stored.seq, stored.event])]);
  }

  /** A copy that will be damaged. The original was closed, so that all data is in one file. */
  function copy(): { dir: string; file: string } {
    const dir = join(root, `copy ${++copies}`);
    cpSync(sound, dir, { recursive: true });
    return { dir, file: join(dir, "cairn.db") };
  }

  /** Opens a damaged copy. Each conversation can be read unchanged, or a typed error says that it cannot be read. */
  async function judge(dir: string): Promise<{ wrong: string[]; failed: string[]; defects: string[] }> {
    const wrong: string[] = [];
    const failed: string[] = [];
    const defects: string[] = [];
    const note = (what: string, error: unknown) =>
      CairnError.is(error) ? failed.push(`${what}: ${error.code}`) : wrong.push(`${what}: ${String(error)}`);
    const store = await openEmbeddedStore({ dir }).catch((error) => {
      note("open", error);
      return null;
    });
    if (store !== null) {
      for (const key of KEYS)
        try {
          if ((await stateOf(store, key)) !== truth.get(key.conversation))
            wrong.push(`${key.conversation} reads otherwise`);
        } catch (error) {
          note(key.conversation, error);
        }
      try {
        for await (const defect of store.verify()) defects.push(defect.code);
      } catch (error) {
        note("verify", error);
      }
      await store.close();
    }
    rmSync(dir, { recursive: true });
    return { wrong, failed, defects };
  }

  it("is never taken for another conversation or an empty one, whichever page is overwritten", async () => {
    const pages = readFileSync(join(sound, "cairn.db")).length / PAGE;
    expect(pages).toBeGreaterThan(20);
    let [tried, noticed] = [0, 0];
    for (let page = 0; page < pages; page += bySize({ quick: 8, usual: 2, long: 1 })) {
      tried++;
      const { dir, file } = copy();
      const bytes = readFileSync(file);
      bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE);
      writeFileSync(file, bytes);
      const { wrong, failed, defects } = await judge(dir);
      expect([page, wrong]).toEqual([page, []]);
      expect(
        failed.every((each) => /: (corrupt|not_found)$/.test(each)),
        `page ${page}: ${failed}`,
      ).toBe(true);
      if (failed.length > 0)
        expect([
          page,
          failed.length,
          defects.length + failed.filter((f) => /^(open|verify)/.test(f)).length,
        ]).not.toEqual([page, failed.length, 0]);
      if (failed.length + defects.length > 0) noticed++;
    }
    // Damage to a free page goes unnoticed, because the page contains no data that could be lost.
    expect(noticed).toBeGreaterThan(tried * 0.8);
  });

  it("is noticed when a single bit flips in a conversation's events", async () => {
    const flips = bySize({ quick: 8, usual: 20, long: 2_000 });
    const sample = readFileSync(join(sound, "cairn.db"));
    for (let n = 0; n < flips; n++) {
      const { dir, file } = copy();
      const bytes = Buffer.from(sample);
      // Positions after the schema, with a step between them that covers every part of a page.
      const at = PAGE + ((n * 7_919 * 31) % (bytes.length - PAGE));
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      writeFileSync(file, bytes);
      const { wrong } = await judge(dir);
      expect([at, wrong]).toEqual([at, []]);
    }
  });

  it("in the schema's text throws corrupt, whether reading, writing, searching or backing up finds it", async () => {
    const sample = readFileSync(join(sound, "cairn.db"));
    const db = new DatabaseSync(join(sound, "cairn.db"), { readOnly: true });
    const texts = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
    db.close();
    const places: number[] = [];
    for (const { sql } of texts) {
      // Only the beginnings of texts are searched, because long texts continue on other pages.
      const start = sample.indexOf(String(sql).slice(0, 40));
      expect(start).toBeGreaterThan(0);
      for (let at = 0; at < String(sql).length; at++) places.push(start + at);
    }
    const step = Math.ceil(places.length / bySize({ quick: 6, usual: 16, long: 600 }));
    const codes = new Set<string>();
    for (let n = 0; n < places.length; n += step) {
      const { dir, file } = copy();
      const bytes = Buffer.from(sample);
      const at = places[n] ?? 0;
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8));
      writeFileSync(file, bytes);
      const written = `${dir} written to`;
      cpSync(dir, written, { recursive: true });
      const untyped: string[] = [];
      const answer = async (work: () => Promise<unknown>) => {
        try {
          await work();
        } catch (error) {
          if (CairnError.is(error)) codes.add(error.code);
          else untyped.push(String(error));
        }
      };
      await answer(async () => {
        const store = await openEmbeddedStore({ dir: written });
        await answer(() => store.createConversation(keyOf("new")));
        await answer(() => store.acquireLease(KEY, "w", 1_000));
        await answer(() => store.append(KEY, [{ kind: "cancel.requested", v: 1, body: { key: "k", ts: "t" } }]));
        await answer(() => store.search(KEY, "a"));
        await answer(() => store.backup(join(written, "backup")));
        await answer(() => store.gc());
        await store.close();
      });
      rmSync(written, { recursive: true });
      expect([at, untyped]).toEqual([at, []]);
      const { wrong } = await judge(dir);
      expect([at, wrong]).toEqual([at, []]);
    }
    // A flipped bit may leave a schema that can still be read, such as in a name that no query uses. The script itself
    // causes `lease_held`.
    codes.delete("lease_held");
    expect([...codes]).toEqual(["corrupt"]);
  });

  /** Changes rows without going through the store. */
  function tamper(sql: string, ...values: (string | number)[]): string {
    const { dir, file } = copy();
    const db = new DatabaseSync(file);
    db.prepare(sql).run(...values);
    db.close();
    return dir;
  }

  const first = "(SELECT id FROM conversations WHERE conversation = 'a')";

  it("is reported by verify: gaps, changed bodies, missing index rows and references, wrong snapshots, wrong counters", async () => {
    const cases: [string, string, string][] = [
      ["seq_gap", `DELETE FROM events WHERE conversation = ${first} AND seq = 3`, "a: corrupt"],
      [
        "event_corrupt",
        `UPDATE events SET body = replace(body, 'turn_1', 'turn_7') WHERE conversation = ${first} AND seq = 1`,
        "a: corrupt",
      ],
      ["event_corrupt", `UPDATE events SET kind = 'x.other' WHERE conversation = ${first} AND seq = 1`, "a: corrupt"],
      ["event_corrupt", `UPDATE events SET body = '{' WHERE conversation = ${first} AND seq = 1`, "a: corrupt"],
      ["index_missing", `DELETE FROM paths WHERE conversation = ${first}`, ""],
      ["reference_missing", "DELETE FROM refs", ""],
    ];
    for (const [code, sql, failure] of cases) {
      const { wrong, failed, defects } = await judge(tamper(sql));
      expect([sql, wrong]).toEqual([sql, []]);
      expect([sql, defects]).toEqual([sql, expect.arrayContaining([code])]);
      if (failure !== "") expect([sql, failed]).toEqual([sql, expect.arrayContaining([failure])]);
    }
  });

  it("never loses the end of a conversation silently", async () => {
    for (const sql of [
      `UPDATE conversations SET last_seq = last_seq - 1 WHERE conversation = 'a'`,
      `DELETE FROM events WHERE conversation = ${first} AND seq = (SELECT max(seq) FROM events WHERE conversation = ${first})`,
    ]) {
      const { failed, defects } = await judge(tamper(sql));
      expect([sql, failed.length + defects.length]).not.toEqual([sql, 0]);
    }
  });

  it("does not matter in a snapshot: the events replace it", async () => {
    const { dir, file } = copy();
    const db = new DatabaseSync(file);
    const had = Number(db.prepare("SELECT count(*) AS n FROM snapshots").get()?.n);
    db.exec("UPDATE snapshots SET body = replace(body, 'a', 'b')");
    db.close();
    expect(had).toBeGreaterThan(0);
    const { wrong, failed, defects } = await judge(dir);
    expect([wrong, failed]).toEqual([[], []]);
    expect(defects).toContain("snapshot_mismatch");
  });

  it("is not reported for a snapshot of an older program, which kept fewer fields", async () => {
    const { dir, file } = copy();
    const db = new DatabaseSync(file);
    const rows = db.prepare("SELECT rowid, conversation, seq, timeline_seq, body FROM snapshots").all();
    expect(rows.length).toBeGreaterThan(0);
    for (const { rowid, conversation, seq, timeline_seq, body } of rows) {
      const { past: _, sent_position: __, ...older } = JSON.parse(String(body));
      const row = { seq: Number(seq), timeline_seq: Number(timeline_seq), body: JSON.stringify(older) };
      const crc = snapshotCrc({ owner: Number(conversation), ...row });
      db.prepare("UPDATE snapshots SET body = ?, crc = ? WHERE rowid = ?").run(row.body, crc, Number(rowid));
    }
    db.close();
    expect((await judge(dir)).defects).toEqual([]);
  });

  it("answers newer_version to an event from a newer program, and verify names it", async () => {
    const { dir, file } = copy();
    const db = new DatabaseSync(file);
    const row = db
      .prepare(
        `SELECT id, seq, batch_end, stored_at, kind, body FROM events WHERE conversation = ${first} ORDER BY seq DESC LIMIT 1`,
      )
      .get();
    const { id, ...event } = row as unknown as EventRow & { id: number };
    db.prepare("UPDATE events SET v = 99, crc = ? WHERE id = ?").run(eventCrc({ ...event, v: 99 }), id);
    db.close();
    const { wrong, failed, defects } = await judge(dir);
    expect(wrong).toEqual([]);
    expect(failed).toEqual(["a: newer_version"]);
    expect(defects).toContain("newer_version");
  });

  it("leaves a database of a newer program, or of another program, unchanged", async () => {
    for (const [sql, code] of [
      ["PRAGMA user_version = 999", "newer_version"],
      ["PRAGMA application_id = 7", "corrupt"],
    ] as const) {
      const { dir, file } = copy();
      const db = new DatabaseSync(file);
      db.exec(sql);
      db.close();
      const before = readFileSync(file);
      await expect(openEmbeddedStore({ dir })).rejects.toMatchObject({ code });
      expect(Buffer.compare(readFileSync(file), before)).toBe(0);
    }
  });

  it("throws corrupt for a file that is not a database, and leaves it unchanged", async () => {
    for (const content of [
      "not a database at all, but long enough to be one ".repeat(100),
      "SQLite format 3\0 and then nothing",
    ]) {
      const { dir, file } = copy();
      writeFileSync(file, content);
      await expect(openEmbeddedStore({ dir })).rejects.toMatchObject({ code: "corrupt" });
      expect(readFileSync(file, "utf8")).toBe(content);
    }
  });

  it("answers corrupt when the end of the database file is missing", async () => {
    const { dir, file } = copy();
    truncateSync(file, Math.floor(readFileSync(file).length / 2 / PAGE) * PAGE);
    const { wrong, failed, defects } = await judge(dir);
    expect(wrong).toEqual([]);
    expect(failed.length + defects.length).toBeGreaterThan(0);
  });

  describe("of blobs", () => {
    const bytes = Buffer.from("the bytes of a blob that will be damaged");
    const put = async () => {
      const { dir } = copy();
      const store = await openEmbeddedStore({ dir });
      const key = keyOf("blobs");
      await store.createConversation(key);
      const { ref } = await store.putBlob(key, [bytes]);
      const { token } = await store.acquireLease(key, "w", 1_000);
      const block = { type: "user.attachment", meta: { blob: ref } as JsonObject };
      const event = { kind: "block.appended", v: 1, body: { position: 0, block, tokens: 1, version: 0 } } as const;
      await store.append(key, [event], { lease: { token, expectedSeq: 0 } });
      const blobs = join(dir, "blobs");
      const name = readdirSync(blobs, { recursive: true, encoding: "utf8" }).find((each) =>
        each.endsWith(ref.slice(7)),
      );
      return { store, key, ref, file: join(blobs, name ?? "missing") };
    };
    const read = (store: EmbeddedStore, key: typeof KEY, ref: `sha256:${string}`) =>
      Array.fromAsync(store.readBlob(key, ref)).then(
        () => "read",
        (error) => error.code,
      );

    it("is noticed on reading and reported by verify: a flipped bit, a cut, an addition, a missing file", async () => {
      const damages: [string, (file: string) => void, string][] = [
        [
          "blob_corrupt",
          (file) =>
            writeFileSync(
              file,
              bytes.map((byte, at) => (at === 7 ? byte ^ 4 : byte)),
            ),
          "corrupt",
        ],
        ["blob_corrupt", (file) => truncateSync(file, 5), "corrupt"],
        ["blob_corrupt", (file) => truncateSync(file, 0), "corrupt"],
        ["blob_corrupt", (file) => writeFileSync(file, Buffer.concat([bytes, bytes])), "corrupt"],
        ["blob_missing", unlinkSync, "blob_missing"],
      ];
      for (const [code, damage, answer] of damages) {
        const { store, key, ref, file } = await put();
        expect(await read(store, key, ref)).toBe("read");
        damage(file);
        expect(await read(store, key, ref)).toBe(answer);
        expect(await store.verifyConversation(key)).toMatchObject([{ code, blob: ref }]);
        expect((await Array.fromAsync(store.verify())).map((defect) => defect.code)).toEqual([code]);
        expect((await store.load(key)).seq).toBe(1);
        // Storing the same bytes again repairs the damage.
        await store.putBlob(key, [bytes]);
        expect(await read(store, key, ref)).toBe("read");
        expect(await Array.fromAsync(store.verify())).toEqual([]);
        await store.close();
      }
    });

    it("is never exported", async () => {
      const { store, key, file } = await put();
      writeFileSync(file, "other bytes");
      await expect(Array.fromAsync(store.exportConversation(key))).rejects.toMatchObject({ code: "corrupt" });
      unlinkSync(file);
      await expect(Array.fromAsync(store.exportConversation(key))).rejects.toMatchObject({ code: "blob_missing" });
      await store.close();
    });
  });

  it("at the end of the log is like a crash: the store opens with everything that was complete", async () => {
    const { dir, file } = copy();
    const store = await openEmbeddedStore({ dir });
    await store.createConversation(keyOf("in the log"));
    const torn = join(root, "torn");
    cpSync(dir, torn, { recursive: true });
    copyFileSync(file, join(torn, "cairn.db"));
    await store.close();
    const log = join(torn, "cairn.db-wal");
    const size = readFileSync(log).length;
    expect(size).toBeGreaterThan(0);
    truncateSync(log, size - 100);
    const { wrong, failed, defects } = await judge(torn);
    expect([wrong, failed, defects]).toEqual([[], [], []]);
  });
});
