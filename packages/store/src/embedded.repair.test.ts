import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bySize } from "@cairn/testkit/runs";
import { playScript, randomScript } from "@cairn/testkit/store";
import { makeEvent, snapshotState } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { buildSegment } from "./sql/search/segment.ts";
import { encodeDirectory } from "./sql/search/term-blocks.ts";
import { encodeTable } from "./sql/search/text-table.ts";

const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
const NAMES = ["a", "b"];
const first = "(SELECT id FROM conversations WHERE conversation = 'a')";
const second = "(SELECT id FROM conversations WHERE conversation = 'b')";

describe("verify and repair", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-repair-"));
  const sound = join(root, "sound");
  let copies = 0;
  let truth: string;
  beforeAll(async () => {
    const store = await openEmbeddedStore({ dir: sound });
    for (const [nth, name] of NAMES.entries()) await playScript(store, keyOf(name), randomScript(nth + 1, 8));
    const block = { type: "user.prompt", turn_id: "late", path: "ar:late.user.prompt", text: "wombat ünder 東京" };
    const { state, timelineSeq } = await store.load(keyOf("a"));
    const late = { type: "react.note", turn_id: state.turnIds[0] ?? "", text: "lands in a turn that is over" };
    await store.releaseLease(keyOf("a"), 1);
    const { token } = await store.acquireLease(keyOf("a"), "w", 1_000);
    const position = state.nextPosition;
    await store.append(
      keyOf("a"),
      [
        makeEvent("meta.set", { conversation_title: "title" }),
        makeEvent("block.appended", { position, block, tokens: 1, version: 1 }),
        makeEvent("block.appended", { position: position + 1, block: late, tokens: 1, version: 0 }),
      ],
      { lease: { token, expectedSeq: timelineSeq } },
    );
    truth = await answersOf(store);
    expect(await Array.fromAsync(store.verify())).toEqual([]);
    await store.close();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** The data of both conversations, as readers get it. */
  async function answersOf(store: EmbeddedStore): Promise<string> {
    const answers: unknown[] = [];
    for (const name of NAMES) {
      const key = keyOf(name);
      const { state, seq, timelineSeq } = await store.load(key);
      const { last_activity_at: _, ...info } = await store.getConversation(key);
      const { items } = await store.turns(key, { limit: 1_000 });
      const paths = [...new Set(state.window.map((entry) => entry.block.path))];
      const found: unknown[] = [];
      for (const path of paths.filter((each) => each !== undefined)) {
        const at = await store.findByPath(key, path).catch((error) => error.code);
        found.push([path, at?.version, at?.artifact?.text]);
      }
      answers.push(snapshotState(state), seq, timelineSeq, info, items, found);
    }
    for (const query of ["a", "wombat", "under", "京", "e"])
      answers.push((await store.search(keyOf("a"), query)).items);
    return JSON.stringify(answers);
  }

  async function tampered(...sql: readonly string[]): Promise<EmbeddedStore> {
    const dir = join(root, `copy ${++copies}`);
    cpSync(sound, dir, { recursive: true });
    const db = new DatabaseSync(join(dir, "cairn.db"));
    db.exec("PRAGMA foreign_keys = OFF");
    db.enableDefensive(false);
    for (const each of sql) db.exec(each);
    db.close();
    return openEmbeddedStore({ dir });
  }
  const codesOf = async (defects: AsyncIterable<{ readonly code: string }>) =>
    (await Array.fromAsync(defects)).map((defect) => defect.code);

  const cases: readonly [string, string][] = [
    ...["inputs", "paths", "turns", "late_blocks", "pool"].map((table): [string, string] => [
      "index_missing",
      `DELETE FROM ${table}`,
    ]),
    ["index_mismatch", "UPDATE inputs SET seq = seq + 1"],
    ["index_mismatch", `INSERT INTO inputs VALUES (${first}, 'input.received', 'never sent', 1)`],
    ["index_mismatch", `UPDATE paths SET conversation = ${second} WHERE rest LIKE 'late%'`],
    ["index_mismatch", `UPDATE turns SET exit = 'other' WHERE ordinal = 1`],
    ["index_mismatch", `INSERT INTO late_blocks VALUES (${first}, 1, 2)`],
    ["index_mismatch", `INSERT INTO pool VALUES (${first}, 999, 1)`],
    ["index_mismatch", `UPDATE conversations SET title = 'not the title'`],
    ["index_mismatch", `UPDATE conversations SET turns = turns + 1`],
    ["index_mismatch", `UPDATE conversations SET last_timeline_seq = last_timeline_seq - 1`],
    ["index_mismatch", `UPDATE conversations SET next_position = next_position + 1`],
    ["seq_gap", `UPDATE conversations SET last_seq = last_seq - 1`],
    ["snapshot_mismatch", `UPDATE snapshots SET body = replace(body, ':', ': ')`],
    ["index_mismatch", "DELETE FROM search_segments"],
    ["index_mismatch", "DELETE FROM search_blocks"],
    ["index_mismatch", "UPDATE search_blocks SET data = (SELECT data FROM search_blocks ORDER BY id DESC LIMIT 1)"],
    ["index_mismatch", `UPDATE conversations SET indexed_seq = indexed_seq - 20`],
  ];

  it.each(cases)("report %s and repair it: %s", async (code, sql) => {
    const store = await tampered(sql);
    const before = await codesOf(store.verify());
    expect(before).toContain(code);
    expect(await codesOf(store.repair())).toEqual([]);
    expect(await answersOf(store)).toBe(truth);
    expect(await codesOf(store.verify())).toEqual([]);
    await store.close();
  });

  it("removes words of a conversation that is not there", async () => {
    const text = { conversation: 987, event: 1, length: 1, kind: 1, time: 0, terms: ["stray"], counts: [1] };
    const { table, directory, blocks } = buildSegment([text]);
    const hex = (bytes: Uint8Array | undefined) => `X'${Buffer.from(bytes ?? []).toString("hex")}'`;
    const store = await tampered(
      `INSERT INTO search_segments VALUES (99, 1, 1, ${hex(encodeTable(table))}, ${hex(encodeDirectory(directory))})`,
      `INSERT INTO search_blocks VALUES (99 * 1048576, ${hex(blocks[0])})`,
    );
    expect(await codesOf(store.verify())).toEqual(["index_mismatch"]);
    expect(await codesOf(store.repair())).toEqual([]);
    expect(await answersOf(store)).toBe(truth);
    await store.close();
  });

  it.each(["search_blocks SET data", "search_segments SET texts", "search_segments SET directory"])(
    "makes the index of words anew when it is not sound in itself: %s",
    async (column) => {
      const store = await tampered(`UPDATE ${column} = zeroblob(20)`);
      await expect(store.search(keyOf("a"), "wombat")).rejects.toMatchObject({ code: "corrupt" });
      expect(await codesOf(store.verify())).toContain("index_mismatch");
      expect(await codesOf(store.repair())).toEqual([]);
      expect(await answersOf(store)).toBe(truth);
      await store.close();
    },
  );

  it("makes SQLite's own indexes anew from their tables", async () => {
    const dir = join(root, `copy ${++copies}`);
    cpSync(sound, dir, { recursive: true });
    const file = join(dir, "cairn.db");
    const db = new DatabaseSync(file);
    const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'refs_by_hash'").get()?.rootpage);
    const hash = String(db.prepare("SELECT hash FROM refs LIMIT 1").get()?.hash);
    db.close();
    const bytes = readFileSync(file);
    const at = bytes.indexOf(hash, (page - 1) * 4_096);
    expect(at).toBeLessThan(page * 4_096);
    bytes[at + 10] = (bytes[at + 10] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const store = await openEmbeddedStore({ dir });
    expect(await codesOf(store.verify())).toContain("database_corrupt");
    expect(await codesOf(store.repair())).toEqual([]);
    expect(await answersOf(store)).toBe(truth);
    await store.close();
  });

  it("leaves damage to the events unchanged, and reports it", async () => {
    for (const [code, sql] of [
      ["event_corrupt", `UPDATE events SET body = replace(body, 'wombat', 'combat')`],
      [
        "seq_gap",
        `DELETE FROM events WHERE conversation = ${first} AND seq = (SELECT max(seq) FROM events WHERE conversation = ${first})`,
      ],
      ["seq_gap", `DELETE FROM events WHERE conversation = ${first} AND seq = 2`],
      ["reference_missing", "DELETE FROM refs"],
    ] as const) {
      const store = await tampered(sql, "DELETE FROM paths");
      const lastSeq = (await store.getConversation(keyOf("a"))).last_seq;
      expect([sql, await codesOf(store.repair())]).toEqual([sql, expect.arrayContaining([code])]);
      expect((await store.getConversation(keyOf("a"))).last_seq).toBe(lastSeq);
      await store.close();
    }
  });

  it("does not report an index of words that others have merged as damaged", async () => {
    const dir = join(root, `copy ${++copies}`);
    cpSync(sound, dir, { recursive: true });
    const [checker, writer] = [await openEmbeddedStore({ dir }), await openEmbeddedStore({ dir })];
    const key = keyOf("merged");
    await writer.createConversation(key);
    const { token } = await writer.acquireLease(key, "w", 60_000);
    for (let position = 0; position < bySize({ quick: 10, usual: 20, long: 60 }); position++) {
      const block = { type: "user.prompt", turn_id: "turn_1", text: `word${position} `.repeat(300) };
      const event = makeEvent("block.appended", { position, block, tokens: 1, version: 0 });
      await writer.append(key, [event], { lease: { token, expectedSeq: position } });
      // Each search leaves a new segment, and every eight segments are merged into one.
      await writer.search(key, "word");
      if (position % 10 === 0) expect(await Array.fromAsync(checker.verify())).toEqual([]);
    }
    await checker.close();
    await writer.close();
  });

  it("finds nothing wrong while others write, collect garbage and delete", async () => {
    const store = await tampered();
    let writing = true;
    const noise = (async () => {
      for (let n = 0; writing; n++) {
        const key = keyOf(`noise ${n}`);
        const inputs = Array.from({ length: 700 }, (_, m) =>
          makeEvent("cancel.requested", { key: `${n} ${m}`, ts: "2026-02-09T00:00:00Z" }),
        );
        await store.createConversation(key, { events: inputs });
        await store.append(keyOf("a"), inputs.slice(0, 50));
        await store.putBlob(key, [Buffer.from(`noise ${n}`)]);
        if (n % 2 === 0) await store.deleteConversation(key);
        await store.gc({ graceMs: 0 });
      }
    })();
    for (let n = 0; n < 4; n++) expect(await Array.fromAsync(store.verify())).toEqual([]);
    expect(await Array.fromAsync(store.repair())).toEqual([]);
    writing = false;
    await noise;
    await store.close();
  });
});
