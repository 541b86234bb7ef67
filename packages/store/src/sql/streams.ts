/** The text of streams whose block is not stored yet: pieces by offset, each written once, outside the journal. */
import { storeError } from "../contract/errors.ts";
import type { OpenStream } from "../contract/records.ts";
import { type ConversationKey, checkPart } from "../contract/scope.ts";
import { lockConversation, requireConversation } from "./conversations.ts";
import { requireToken } from "./lease.ts";
import { checkSeq } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { fromColumn, toColumn } from "./text-column.ts";
import type { Work } from "./work.ts";

const MAX_STREAM_LENGTH = 4_000_000;

export interface StreamPiece {
  readonly token: number;
  readonly stream: string;
  readonly offset: number;
  readonly text: string;
}

interface PieceRow {
  readonly start: number;
  readonly length: number;
  readonly text: string;
}

export function* appendStream(db: SqlDatabase, key: ConversationKey, piece: StreamPiece): Work<void> {
  const { stream, offset, text } = piece;
  checkPart("stream", stream);
  checkSeq("offset", offset);
  const { id } = yield* writableConversation(db, key, piece.token);
  if (offset + text.length > MAX_STREAM_LENGTH)
    throw storeError("too_large", `A stream holds at most ${MAX_STREAM_LENGTH} characters.`, { stream });
  const last = yield* db.get<PieceRow>(
    "SELECT start, length, text FROM streams WHERE conversation = ? AND stream = ? ORDER BY start DESC LIMIT 1",
    id,
    stream,
  );
  const length = last === undefined ? 0 : last.start + last.length;
  if (offset > length)
    throw storeError("conflict", `The stream has ${length} characters; text at ${offset} would leave a gap.`, {
      length,
      offset,
    });
  if (offset < length) yield* cutStream(db, id, stream, offset);
  if (text !== "" || offset === 0) yield* insertPiece(db, id, stream, offset, text);
}

/** Drops the text after `offset`. */
function* cutStream(db: SqlDatabase, id: number, stream: string, offset: number): Work<void> {
  const split = yield* db.get<PieceRow>(
    "SELECT start, length, text FROM streams WHERE conversation = ? AND stream = ? AND start < ? ORDER BY start DESC LIMIT 1",
    id,
    stream,
    offset,
  );
  yield* db.run("DELETE FROM streams WHERE conversation = ? AND stream = ? AND start >= ?", id, stream, offset);
  if (split !== undefined && split.start + split.length > offset)
    yield* insertPiece(db, id, stream, split.start, fromColumn(split.text).slice(0, offset - split.start));
}

function* insertPiece(db: SqlDatabase, id: number, stream: string, start: number, text: string): Work<void> {
  yield* db.run(
    `INSERT INTO streams (conversation, stream, start, length, text) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (conversation, stream, start) DO UPDATE SET length = excluded.length, text = excluded.text`,
    id,
    stream,
    start,
    text.length,
    toColumn(text),
  );
}

export function* dropStream(db: SqlDatabase, key: ConversationKey, token: number, stream: string): Work<void> {
  yield* deleteStream(db, (yield* writableConversation(db, key, token)).id, stream);
}

export function* deleteStream(db: SqlDatabase, conversation: number, stream: string): Work<void> {
  // No stream has a name with a lone surrogate; the database would take it for a different name.
  if (!stream.isWellFormed()) return;
  yield* db.run("DELETE FROM streams WHERE conversation = ? AND stream = ?", conversation, stream);
}

export function* openStreams(
  db: SqlDatabase,
  key: ConversationKey,
  known: ReadonlyMap<string, number>,
): Work<OpenStream[]> {
  const { id } = yield* requireConversation(db, key);
  const passed = [...known].filter(([stream]) => stream.isWellFormed());
  const isPassed = passed.map(() => "WHEN stream = ? AND start + length <= ? THEN ''").join(" ");
  const text = passed.length === 0 ? "text" : `CASE ${isPassed} ELSE text END AS text`;
  const pieces = new Map<string, string[]>();
  for (const row of yield* db.all<Omit<PieceRow, "length"> & { readonly stream: string }>(
    `SELECT stream, start, ${text} FROM streams WHERE conversation = ? ORDER BY stream, start`,
    ...passed.flat(),
    id,
  )) {
    const texts = pieces.get(row.stream) ?? [];
    pieces.set(row.stream, texts);
    texts.push(fromColumn(row.text).slice(Math.max(0, (known.get(row.stream) ?? 0) - row.start)));
  }
  return [...pieces].map(([stream, texts]) => ({ stream, text: texts.join("") }));
}

function* writableConversation(db: SqlDatabase, key: ConversationKey, token: number) {
  const row = yield* lockConversation(db, key);
  requireToken(row, token);
  return row;
}
