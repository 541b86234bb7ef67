/**
 * Makes a conversation from an export file. Everything is checked on the way and the whole file's hash at the end;
 * until then the conversation is staged and invisible. After any failure the staged rows are removed again.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { TimelineEvent } from "@cairn/timeline";
import { CairnError } from "@cairn/timeline";
import type { BlobInfo, ByteSource } from "../contract/blob-store.ts";
import type { ImportOptions } from "../contract/conversation-store.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import { insertSaved } from "../sql/artifacts.ts";
import { type ConversationRow, encodeAttributes } from "../sql/conversations.ts";
import { prepareEvent } from "../sql/event-row.ts";
import { onceLeft } from "../sql/leaving-blobs.ts";
import { addReference, announceBlob } from "../sql/references.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import {
  addStagedEvents,
  discardStaged,
  publishConversation,
  type StagedEvent,
  stageConversation,
  touchStaged,
} from "../sql/staging.ts";
import { toColumn } from "../sql/text-column.ts";
import { closeImport } from "./close-import.ts";
import {
  BYTES_PER_LINE,
  badFile,
  type ExportHeader,
  type Fields,
  isCount,
  isTime,
  namesFarTime,
  readHeader,
} from "./format.ts";
import { LineReader } from "./line-reader.ts";

/** Maximum number of events in one transaction, and approximate maximum of characters. */
const PIECE = 200;
const PIECE_CHARS = 4_000_000;

interface Importing {
  readonly db: SqlDatabase;
  readonly blobs: KeptBlobs;
  readonly key: ConversationKey;
  readonly now: () => number;
  readonly signal: AbortSignal | undefined;
  readonly lines: LineReader;
}

export async function readImport(
  db: SqlDatabase,
  blobs: KeptBlobs,
  key: ConversationKey,
  file: ByteSource,
  now: () => number,
  { signal, moves = false, maxLineBytes }: ImportOptions = {},
): Promise<ConversationRow> {
  checkConversationKey(key);
  const lines = new LineReader(file, maxLineBytes);
  const importing: Importing = { db, blobs, key, now, signal, lines };
  try {
    const header = readHeader(await lines.next());
    const attributes = encodeAttributes(header.attributes);
    const forkedFrom = header.forked_from === null ? {} : { forkedFrom: header.forked_from };
    const made = { attributes, createdAt: header.created_at, stagedAt: now(), ...forkedFrom };
    const staged = await stageConversation(db, key, made, signal);
    try {
      for (let i = 0; i < header.blobs; i++) await importBlob(importing, staged.id);
      await importEvents(importing, staged.id, header);
      for (let i = 0; i < header.artifacts; i++) await importArtifact(importing, staged.id, i + 1);
      await checkEnd(lines);
      if (!moves) await closeImport(db, staged.id, now, signal);
      return await publishConversation(db, key, staged.id, header.last_activity_at, signal);
    } catch (error) {
      await discardStaged(db, staged.id, now());
      throw error;
    }
  } finally {
    await lines.close();
  }
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

async function importEvents({ db, now, signal, lines }: Importing, id: number, header: ExportHeader): Promise<void> {
  for (let seq = 0; seq < header.events; ) {
    const piece: StagedEvent[] = [];
    for (let chars = 0; piece.length < PIECE && chars < PIECE_CHARS && seq < header.events; ) {
      const event = readEvent(await lines.next(), ++seq, header.events);
      piece.push(event);
      chars += event.prepared.body.length;
    }
    try {
      await db.write(() => addStagedEvents(db, id, piece, now()), signal);
    } catch (error) {
      // The file is at fault, not the caller.
      if (CairnError.is(error) && (error.code === "bad_event" || error.code === "blob_missing"))
        throw badFile(error.message, error.details);
      throw error;
    }
    await yieldToOthers();
  }
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

async function importArtifact({ db, now, signal, lines }: Importing, id: number, number: number): Promise<void> {
  const { artifact, kind, turn_id, ts, content_str, payload } = await lines.next();
  const isComplete =
    artifact === number &&
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
    });
  }, signal);
}

async function checkEnd(lines: LineReader): Promise<void> {
  const expected = lines.digest();
  const { sha256 } = await lines.nextUnhashed();
  if (sha256 !== expected) throw badFile("its contents do not match its checksum");
  if (!(await lines.isAtEnd())) throw badFile("it has more data after its last line");
}
