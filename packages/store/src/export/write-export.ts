/** Writes the export file of a conversation and its tree in pieces, as of the moment when writing began. */
import { createHash } from "node:crypto";
import type { BlobRef, JsonObject } from "@cairn/timeline";
import type { BlobStore } from "../contract/blob-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { savedArtifacts } from "../sql/artifacts.ts";
import { type ConversationRow, originOf, requireConversation, requireSameConversation } from "../sql/conversations.ts";
import { decodeRow } from "../sql/event-row.ts";
import { journalOf, type Lined } from "../sql/lineage.ts";
import { missingEvent } from "../sql/load.ts";
import { readBytes, usedReferences } from "../sql/references.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { type EventOwner, pageOfEvents } from "../sql/take-events.ts";
import { fromColumn } from "../sql/text-column.ts";
import type { Work } from "../sql/work.ts";
import { BYTES_PER_LINE, EXPORT_VERSION, type Fields } from "./format.ts";
import { requireMember, treeMembers } from "./tree-members.ts";

const PIECE = 200;

export async function* writeExport(
  db: SqlDatabase,
  blobs: BlobStore,
  key: ConversationKey,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash("sha256");
  for await (const line of exportLines(db, blobs, key, signal)) {
    const bytes = Buffer.from(`${line}\n`);
    hash.update(bytes);
    yield bytes;
  }
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest("hex") })}\n`);
}

async function* exportLines(
  db: SqlDatabase,
  blobs: BlobStore,
  key: ConversationKey,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const stocks = await db.read(() => takeStock(db, key), signal);
  const [only] = stocks;
  if (stocks.length === 1 && only !== undefined) yield headerLine({ cairn_export: 1 }, only);
  else {
    const listed = stocks.findIndex(({ row }) => row.unlisted === 0);
    const asked = stocks.findIndex(({ row }) => row.conversation === key.conversation);
    const shown = listed < 0 ? asked : listed; // Stores of earlier versions may have trees in which no conversation is listed.
    yield JSON.stringify({ cairn_export: EXPORT_VERSION, conversations: stocks.length, asked, shown });
  }
  for (const stock of stocks) {
    if (stock !== only || stocks.length > 1) yield headerLine(placeIn(stocks, stock.row), stock);
    yield* sectionLines(db, blobs, key, stock, signal);
  }
}

/** The place of a conversation in its tree. A deleted conversation that branches need has no name. */
function placeIn(stocks: readonly Stock[], { stage, conversation, parent, cut }: ConversationRow): Fields {
  const name = stage === 0 ? conversation : null;
  if (parent === null) return { conversation: name };
  return { conversation: name, parent: stocks.findIndex(({ row }) => row.id === parent), cut };
}

function headerLine(first: Fields, { row, after, refs, artifacts }: Stock): string {
  return JSON.stringify({
    ...first,
    created_at: row.created_at,
    last_activity_at: row.last_activity_at,
    forked_from: originOf(row),
    attributes: JSON.parse(row.attributes) as JsonObject,
    blobs: refs.length,
    events: row.last_seq - after,
    artifacts,
  });
}

async function* sectionLines(
  db: SqlDatabase,
  blobs: BlobStore,
  key: ConversationKey,
  { row, after, lined, refs, artifacts, isTree }: Stock,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const owner = function* (): Work<EventOwner> {
    if (!isTree) return yield* requireSameConversation(db, key, row.id);
    return { ...(yield* requireMember(db, row.id)), ...lined };
  };
  for (const { hash, size } of refs) {
    yield JSON.stringify({ blob: hash, size });
    for await (const bytes of inLines(readBytes(blobs, key, hash, signal === undefined ? {} : { signal })))
      yield `{"bytes":"${bytes.toString("base64")}"}`;
  }
  for (let seq = after; seq < row.last_seq; ) {
    const rows = await db.read(function* () {
      return yield* pageOfEvents(db, yield* owner(), { after: seq, upTo: row.last_seq, limit: PIECE });
    }, signal);
    if (rows.length === 0) throw missingEvent(seq + 1);
    for (const { batch_end, stored_at, kind, v, body, ...each } of rows) {
      if (each.seq !== ++seq) throw missingEvent(seq);
      decodeRow({ batch_end, stored_at, kind, v, body, ...each }); // Throws for values that an import would reject.
      const fields = JSON.stringify({ seq, batch_end, stored_at, kind: fromColumn(kind), v });
      yield `${fields.slice(0, -1)},"body":${body}}`;
    }
  }
  for (let number = 0, left = artifacts; left > 0; ) {
    const rows = await db.read(function* () {
      return yield* savedArtifacts(db, yield* owner(), number, Math.min(left, PIECE));
    }, signal);
    for (const saved of rows) {
      const fields = JSON.stringify({
        artifact: saved.number,
        ...(isTree ? { seq: saved.seq } : {}),
        kind: fromColumn(saved.kind),
        turn_id: saved.turn_id === null ? null : fromColumn(saved.turn_id),
        ts: fromColumn(saved.ts),
        content_str: fromColumn(saved.content_str),
      });
      yield `${fields.slice(0, -1)},"payload":${saved.payload}}`;
      number = saved.number;
    }
    left -= rows.length;
  }
}

interface Stock {
  readonly row: ConversationRow;
  /** How the rows of a conversation are read: in a tree, only the conversation's own rows. */
  readonly lined: Lined;
  readonly isTree: boolean;
  /** The seq before the conversation's first event in the file. */
  readonly after: number;
  readonly refs: readonly { readonly hash: BlobRef; readonly size: number }[];
  readonly artifacts: number;
}

function* takeStock(db: SqlDatabase, key: ConversationKey): Work<Stock[]> {
  const asked = yield* requireConversation(db, key);
  const members = yield* treeMembers(db, asked);
  const isTree = members !== null;
  const stocks: Stock[] = [];
  for (const row of members ?? [asked]) {
    const lined = isTree ? { id: row.id, parent: null } : row;
    const artifacts = yield* db.get<{ count: number }>(
      `SELECT count(*) AS count FROM ${journalOf(lined, "artifacts")}`,
      row.id,
    );
    const refs = yield* usedReferences(db, lined);
    stocks.push({ row, lined, isTree, after: isTree ? row.cut : 0, refs, artifacts: artifacts?.count ?? 0 });
  }
  return stocks;
}

async function* inLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < BYTES_PER_LINE) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; at + BYTES_PER_LINE <= all.length; at += BYTES_PER_LINE) yield all.subarray(at, at + BYTES_PER_LINE);
    waiting = [all.subarray(at)];
    length = all.length - at;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
