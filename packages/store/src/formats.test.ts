/** Reads the files of the store as docs/store.md describes them, with nothing of the store but the files. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEmbeddedStore } from "./embedded-store.ts";

const docs = readFileSync(new URL("../../../docs/store.md", import.meta.url), "utf8");
const dir = mkdtempSync(join(tmpdir(), "cairn-formats-"));
const key = { tenant: "acme", project: "site", user: "ada", conversation: "c1" };
const bytes = Buffer.alloc(120_000, "cairn");
let exported = Buffer.alloc(0);

beforeAll(async () => {
  const store = await openEmbeddedStore({ dir });
  await store.createConversation(key, { attributes: { agent: "a" } });
  const { ref } = await store.putBlob(key, [bytes]);
  const { token } = await store.acquireLease(key, "w", 60_000);
  const block = {
    type: "user.attachment",
    turn_id: "turn_1",
    path: "fi:turn_1.user.attachments/ä.pdf",
    meta: { blob: ref },
  };
  await store.append(
    key,
    [
      makeEvent("turn.opened", { turn_id: "turn_1", ts: "2026-02-09T00:00:00.000Z" }),
      makeEvent("block.appended", { position: 0, block, tokens: 7, version: 1 }),
      makeEvent("meta.set", { conversation_title: "half \ud800" }),
    ],
    { lease: { token, expectedSeq: 0 } },
  );
  await store.saveArtifact(key, { kind: "note", payload: [1, null] });
  exported = Buffer.concat(await Array.fromAsync(store.exportConversation(key)));
  await store.close();
});
afterAll(() => rmSync(dir, { recursive: true }));

test("the query of the documentation reads a conversation with plain SQL", () => {
  const sql = /```sql\n(.*?)```/s.exec(docs)?.[1] ?? "";
  const db = new DatabaseSync(join(dir, "cairn.db"), { readOnly: true });
  const rows = db.prepare(sql).all();
  expect(rows.map(({ seq, kind }) => [seq, kind])).toEqual([
    [1, "turn.opened"],
    [2, "block.appended"],
    [3, "meta.set"],
  ]);
  expect(JSON.parse(String(rows[2]?.body))).toEqual({ conversation_title: "half \ud800" });
  for (const row of db.prepare("SELECT * FROM events").all())
    expect(row.crc).toBe(
      crcOf(Buffer.from([row.seq, row.batch_end, row.stored_at, row.kind, row.v, row.body].join("\n"))),
    );
  expect(db.prepare("SELECT title FROM conversations").get()?.title).toBe("half \uffffd800");
  expect(db.prepare("SELECT rest FROM paths WHERE scheme = 'fi'").get()?.rest).toBe("turn_1.user.attachments/ä.pdf");
  db.close();
});

test("every table and column is described", () => {
  const db = new DatabaseSync(join(dir, "cairn.db"), { readOnly: true });
  expect(docs).toContain(`has seen (${db.prepare("PRAGMA user_version").get()?.user_version}: the tables`);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  for (const { name } of tables) {
    const row = docs.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
    const columns = db.prepare("SELECT name FROM pragma_table_info(?)").all(String(name));
    const isCounters = name === "counters";
    const missing = columns.filter(
      (column) => !isCounters && !row.includes(`\`${column.name}\``) && column.name !== "id",
    );
    expect([name, row === "", missing]).toEqual([name, false, []]);
  }
  db.close();
});

test("a blob is stored under its tenant and its hash", () => {
  const hash = createHash("sha256").update(bytes).digest("hex");
  const tenant = createHash("sha256").update("acme").digest("hex").slice(0, 32);
  expect(readFileSync(join(dir, "blobs", tenant, hash.slice(0, 2), hash)).equals(bytes)).toBe(true);
});

test("an export file is lines of JSON with the hash of all of them at the end", () => {
  const text = exported.toString("utf8");
  const lines = text.trimEnd().split("\n");
  const [header, blob, ...rest] = lines.map((line) => JSON.parse(line));
  expect(header).toMatchObject({ cairn_export: 1, blobs: 1, events: 3, artifacts: 1, attributes: { agent: "a" } });
  const chunks = rest.splice(0, Math.ceil(blob.size / 49_152)).map((line) => Buffer.from(line.bytes, "base64"));
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  expect(rest.map((line) => line.seq ?? line.artifact ?? "end")).toEqual([1, 2, 3, 1, "end"]);
  const end = text.lastIndexOf("\n", text.length - 2) + 1;
  expect(rest.at(-1).sha256).toBe(createHash("sha256").update(text.slice(0, end)).digest("hex"));
});

/** CRC-32 by its definition, bit by bit. */
function crcOf(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
