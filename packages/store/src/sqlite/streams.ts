/**
 * The text of streams whose block has not landed yet: pieces by offset, outside the journal. A piece is written once;
 * nothing is rewritten as a stream grows.
 */
import { storeError } from "../contract/errors.ts";
import type { OpenStream } from "../contract/records.ts";
import { type ConversationKey, checkPart } from "../contract/scope.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { requireToken } from "./lease.ts";
import { checkSeq } from "./paging.ts";
import { fromColumn, toColumn } from "./text-column.ts";

const LONGEST_STREAM = 4_000_000;

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

export function appendStream(db: Database, key: ConversationKey, piece: StreamPiece): void {
  const { stream, offset, text } = piece;
  checkPart("stream", stream);
  checkSeq("offset", offset);
  const { id } = writableConversation(db, key, piece.token);
  if (offset + text.length > LONGEST_STREAM)
    throw storeError("too_large", `A stream holds at most ${LONGEST_STREAM} characters.`, { stream });
  const last = db.get<PieceRow>(
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
  if (offset < length) cutStream(db, id, stream, offset);
  if (text !== "" || offset === 0) insertPiece(db, id, stream, offset, text);
}

/** Forgets what stands behind `offset`. */
function cutStream(db: Database, id: number, stream: string, offset: number): void {
  const split = db.get<PieceRow>(
    "SELECT start, length, text FROM streams WHERE conversation = ? AND stream = ? AND start < ? ORDER BY start DESC LIMIT 1",
    id,
    stream,
    offset,
  );
  db.run("DELETE FROM streams WHERE conversation = ? AND stream = ? AND start >= ?", id, stream, offset);
  if (split !== undefined && split.start + split.length > offset)
    insertPiece(db, id, stream, split.start, fromColumn(split.text).slice(0, offset - split.start));
}

function insertPiece(db: Database, id: number, stream: string, start: number, text: string): void {
  db.run(
    "INSERT OR REPLACE INTO streams (conversation, stream, start, length, text) VALUES (?, ?, ?, ?, ?)",
    id,
    stream,
    start,
    text.length,
    toColumn(text),
  );
}

export function dropStream(db: Database, key: ConversationKey, token: number, stream: string): void {
  deleteStream(db, writableConversation(db, key, token).id, stream);
}

export function deleteStream(db: Database, conversation: number, stream: string): void {
  // No stream can have such a name; the database would take it for another.
  if (!stream.isWellFormed()) return;
  db.run("DELETE FROM streams WHERE conversation = ? AND stream = ?", conversation, stream);
}

export function openStreams(db: Database, key: ConversationKey): OpenStream[] {
  const { id } = requireConversation(db, key);
  const pieces = new Map<string, string[]>();
  for (const row of db.all<{ stream: string; text: string }>(
    "SELECT stream, text FROM streams WHERE conversation = ? ORDER BY stream, start",
    id,
  )) {
    const texts = pieces.get(row.stream);
    if (texts === undefined) pieces.set(row.stream, [fromColumn(row.text)]);
    else texts.push(fromColumn(row.text));
  }
  return [...pieces].map(([stream, texts]) => ({ stream, text: texts.join("") }));
}

function writableConversation(db: Database, key: ConversationKey, token: number) {
  const row = requireConversation(db, key);
  requireToken(row, token);
  return row;
}
