/**
 * Makes a conversation, or a tree of them, from an export file. Everything is checked on the way and the whole file's hash at the end;
 * until then the conversation is staged and invisible. After any failure the staged rows are removed again.
 *
 * Sources come without links to resources of MCP servers: otherwise a file could make Cairn read such resources with
 * the login of the reader. A conversation that moves from another store of the operator keeps its links.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError, isJsonObject, type Json, type JsonObject, type TimelineEvent, withoutLink } from "@cairn/timeline";
import type { BlobInfo, ByteSource } from "../contract/blob-store.ts";
import type { ImportOptions } from "../contract/conversation-store.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import { insertSaved } from "../sql/artifacts.ts";
import { beginBranch, joinTree } from "../sql/branch.ts";
import { type ConversationRow, conversationById, encodeAttributes } from "../sql/conversations.ts";
import { prepareEvent } from "../sql/event-row.ts";
import { onceLeft } from "../sql/leaving-blobs.ts";
import type { Folding } from "../sql/load.ts";
import { addReference, announceBlob } from "../sql/references.ts";
import { settledAt } from "../sql/settled-at.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import {
  addStagedEvents,
  discardStaged,
  keepForBranches,
  publishConversation,
  type StagedEvent,
  stageConversation,
  stillStaged,
  touchStaged,
} from "../sql/staging.ts";
import { toColumn } from "../sql/text-column.ts";
import { closeImport } from "./close-import.ts";
import {
  BYTES_PER_LINE,
  badFile,
  type ExportHeader,
  type ExportPlace,
  type Fields,
  isCount,
  isTime,
  namesFarTime,
  readHeader,
  readPlace,
  readTreeHeader,
  type TreeHeader,
} from "./format.ts";
import { LineReader } from "./line-reader.ts";

/** Maximum number of events in one transaction, and approximate maximum of characters. */
const PIECE = 200;
const PIECE_CHARS = 4_000_000;
/** Maximum number of sources in the events of a conversation. Every open stream and every request reads all of them. */
const MAX_SOURCES = 100_000;

interface Importing {
  readonly db: SqlDatabase;
  readonly blobs: KeptBlobs;
  readonly key: ConversationKey;
  readonly now: () => number;
  readonly signal: AbortSignal | undefined;
  readonly lines: LineReader;
  readonly moves: boolean;
  /** The cut of the last branch. A branch of the same conversation with a later cut continues from there. */
  lastCut: { readonly parent: number; readonly folding: Folding } | null;
}

/** A conversation that the import is writing, hidden until it is complete. */
interface Staged {
  readonly id: number;
  readonly header: ExportHeader;
  readonly place: ExportPlace;
}

/** All conversations of the file; the first is the one that was exported. */
export async function readImport(
  db: SqlDatabase,
  blobs: KeptBlobs,
  key: ConversationKey,
  file: ByteSource,
  now: () => number,
  { signal, moves = false, maxLineBytes, maxConversations }: ImportOptions = {},
): Promise<readonly ConversationRow[]> {
  checkConversationKey(key);
  const lines = new LineReader(file, maxLineBytes);
  const importing: Importing = { db, blobs, key, now, signal, lines, moves, lastCut: null };
  const staged: Staged[] = [];
  try {
    const first = await lines.next();
    const tree = readTreeHeader(first, maxConversations) ?? { conversations: 1, asked: 0, shown: 0 };
    const isTree = Number(first.cairn_export) > 1;
    for (let index = 0; index < tree.conversations; index++)
      await importSection(importing, staged, isTree ? await lines.next() : first, isTree);
    await checkEnd(lines);
    if (!moves)
      for (const { id, place } of staged)
        if (!isTree || place.conversation !== null) await closeImport(db, id, now, signal);
    return await publish(importing, staged, tree, moves);
  } catch (error) {
    for (const { id } of staged.toReversed()) await discardStaged(db, id, now());
    throw error;
  } finally {
    await lines.close();
  }
}

/** Reads one conversation of the file. The conversation is staged before its first row is written. */
async function importSection(importing: Importing, staged: Staged[], line: Fields, isTree: boolean): Promise<void> {
  const { db, key, now, signal } = importing;
  const header = readHeader(line);
  const place = isTree ? readPlace(line, staged.length) : { conversation: null, parent: null, cut: 0 };
  const attributes = encodeAttributes(header.attributes);
  const forkedFrom = header.forked_from === null ? {} : { forkedFrom: header.forked_from };
  const made = { attributes, createdAt: header.created_at, stagedAt: now(), ...forkedFrom };
  const { id } = await stageConversation(db, key, made, signal);
  const parent = place.parent === null ? undefined : staged[place.parent];
  staged.push({ id, header, place });
  if (parent !== undefined) await beginStagedBranch(importing, parent.id, id, place.cut);
  for (let i = 0; i < header.blobs; i++) await importBlob(importing, id);
  await importEvents(importing, id, place.cut, header.events);
  for (let i = 0, last = 0; i < header.artifacts; i++) last = await importArtifact(importing, id, last, isTree);
}

async function beginStagedBranch(importing: Importing, parent: number, id: number, cut: number): Promise<void> {
  const { db, signal } = importing;
  const loaded = await cutAt(importing, parent, cut);
  await db.write(function* () {
    const from = stillStaged(yield* conversationById(db, parent));
    yield* joinTree(db, from, id, cut);
    yield* beginBranch(db, id, loaded);
  }, signal);
}

/** The state, folded before the write transaction, because a long journal takes a while. Its events do not change. */
async function cutAt(importing: Importing, parent: number, cut: number): Promise<Folding> {
  const { db, signal, lastCut } = importing;
  const isEarlier = lastCut !== null && lastCut.parent === parent && lastCut.folding.seq <= cut;
  importing.lastCut = null; // After a fold that failed, the state cannot be used any more.
  try {
    const folding = await db.read(function* () {
      const from = stillStaged(yield* conversationById(db, parent));
      return yield* settledAt(db, from, cut, isEarlier ? lastCut.folding : null);
    }, signal);
    importing.lastCut = { parent, folding };
    return folding;
  } catch (error) {
    if (CairnError.is(error) && (error.code === "not_found" || error.code === "not_settled"))
      throw badFile(error.message, error.details);
    throw error;
  }
}

/** Makes the conversations visible in one step, except those that only their branches need. */
async function publish(
  { db, key, now, signal }: Importing,
  staged: readonly Staged[],
  { asked, shown }: TreeHeader,
  moves: boolean,
): Promise<readonly ConversationRow[]> {
  const nameOf = ({ place }: Staged, index: number) => {
    if (index === asked) return key.conversation;
    return place.conversation === null || moves ? place.conversation : `${key.conversation}.${index + 1}`;
  };
  const listed = staged[shown] === undefined || nameOf(staged[shown], shown) === null ? asked : shown;
  return db.write(function* () {
    const rows: ConversationRow[] = [];
    for (const [index, each] of staged.entries()) {
      const conversation = nameOf(each, index);
      const isListed = index === listed;
      if (conversation === null) yield* keepForBranches(db, each.id, now());
      else
        rows.push(
          yield* publishConversation(db, { ...key, conversation }, each.id, each.header.last_activity_at, isListed),
        );
    }
    return rows.sort(
      (a, b) => Number(b.conversation === key.conversation) - Number(a.conversation === key.conversation),
    );
  }, signal);
}

async function importBlob({ db, blobs, key, now, signal, lines }: Importing, id: number): Promise<void> {
  const { blob, size } = await lines.next();
  if (!isCount(size)) throw badFile("a blob in it has no size");
  const check = (put: BlobInfo) => {
    if (put.ref !== blob) throw badFile(`the bytes of ${String(blob)} do not match their hash`);
  };
  const announce = async (put: BlobInfo) => {
    check(put);
    await onceLeft(() => db.write(() => announceBlob(db, key.tenant, put, now()), signal), signal);
  };
  const refer = async (put: BlobInfo) => {
    check(put);
    const work = function* () {
      yield* touchStaged(db, id, now());
      yield* addReference(db, id, key.tenant, put, now());
    };
    await onceLeft(() => db.write(work, signal), signal);
  };
  await blobs.putWith(key.tenant, blobBytes(lines, size), { announce, refer }, signal === undefined ? {} : { signal });
}

async function* blobBytes(lines: LineReader, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const { bytes } = await lines.next();
    if (typeof bytes !== "string") throw badFile("a blob in it is cut short");
    const chunk = Buffer.from(bytes, "base64");
    if (chunk.length !== Math.min(left, BYTES_PER_LINE)) throw badFile("a line of blob bytes has the wrong length");
    left -= chunk.length;
    yield chunk;
  }
}

async function importEvents(
  { db, now, signal, lines, moves }: Importing,
  id: number,
  cut: number,
  events: number,
): Promise<void> {
  const end = cut + events;
  let sources = 0;
  for (let seq = cut; seq < end; ) {
    const piece: StagedEvent[] = [];
    for (let chars = 0; piece.length < PIECE && chars < PIECE_CHARS && seq < end; ) {
      const line = await lines.next();
      const rows = moves ? null : sourcesOf(line);
      sources += rows?.length ?? 0;
      if (sources > MAX_SOURCES) throw badFile(`its events have more than ${MAX_SOURCES} sources`, { seq });
      const event = readEvent(rows === null ? line : withoutLinks(line, rows), ++seq, end);
      piece.push(event);
      chars += event.prepared.body.length;
    }
    try {
      await db.write(() => addStagedEvents(db, id, piece, now()), signal);
    } catch (error) {
      // An invalid event is reported as a damaged file, because the caller did not write it.
      if (CairnError.is(error) && (error.code === "bad_event" || error.code === "blob_missing"))
        throw badFile(error.message, error.details);
      throw error;
    }
    await yieldToOthers();
  }
}

function sourcesOf(line: Fields): readonly Json[] | null {
  const body = line.body as Json | undefined;
  return line.kind === "sources.merged" && isJsonObject(body) && Array.isArray(body.rows) ? body.rows : null;
}

function withoutLinks(line: Fields, rows: readonly Json[]): Fields {
  return { ...line, body: { ...(line.body as JsonObject), rows: rows.map(withoutLink) } };
}

function readEvent(line: Fields, seq: number, events: number): StagedEvent {
  const { batch_end, stored_at, kind, v, body } = line;
  if (line.seq !== seq) throw badFile(`event ${seq} is missing`, { seq });
  if (!isCount(batch_end) || batch_end < seq || batch_end > events || !isTime(stored_at))
    throw badFile(`event ${seq} is incomplete`, { seq });
  if (namesFarTime(body)) throw badFile(`event ${seq} has a time outside the years 0 to 9999`, { seq });
  try {
    return { prepared: prepareEvent({ kind, v, body } as TimelineEvent), batch_end, stored_at };
  } catch (error) {
    if (CairnError.is(error) && error.code === "bad_event") throw badFile(error.message, { seq });
    throw error;
  }
}

/** Returns the artifact's number. In a tree, a branch continues the numbers of the artifacts that it shares. */
async function importArtifact(
  { db, now, signal, lines }: Importing,
  id: number,
  last: number,
  isTree: boolean,
): Promise<number> {
  const { artifact, seq = 0, kind, turn_id, ts, content_str, payload } = await lines.next();
  const number = isTree && isCount(artifact) && artifact > last ? artifact : last + 1;
  const isComplete =
    artifact === number &&
    isCount(seq) &&
    typeof kind === "string" &&
    (turn_id === null || typeof turn_id === "string") &&
    typeof ts === "string" &&
    typeof content_str === "string" &&
    payload !== undefined;
  if (!isComplete) throw badFile(`artifact ${number} is incomplete`, { artifact: number });
  await db.write(function* () {
    yield* touchStaged(db, id, now());
    yield* insertSaved(db, id, {
      number,
      kind: toColumn(kind),
      turn_id: turn_id === null ? null : toColumn(turn_id),
      ts: toColumn(ts),
      content_str: toColumn(content_str),
      payload: JSON.stringify(payload),
      seq,
    });
  }, signal);
  return number;
}

async function checkEnd(lines: LineReader): Promise<void> {
  const expected = lines.digest();
  const { sha256 } = await lines.nextUnhashed();
  if (sha256 !== expected) throw badFile("its contents do not match its checksum");
  if (!(await lines.isAtEnd())) throw badFile("it has more data after its last line");
}
