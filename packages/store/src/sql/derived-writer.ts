/**
 * Writes what is derived from a conversation's events inside a transaction: index rows for each event, and the
 * conversation's own row once at the end. Everything that writes or rebuilds a journal uses this class, so these rows
 * are always made the same way.
 */
import { INPUT_KINDS, indexRows, type KnownEvent, replacesTitle, type TimelineEvent } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { ConversationRow } from "./conversations.ts";
import { pathColumns } from "./path-columns.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { fromColumn, toColumn } from "./text-column.ts";
import { TurnIndex } from "./turn-index.ts";
import type { Work } from "./work.ts";

const INSERT_PATH = `INSERT INTO paths (conversation, rest, scheme, role, version, position, seq, call_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, rest, scheme, role, version, position)
DO UPDATE SET seq = excluded.seq, call_id = excluded.call_id`;

export class DerivedWriter {
  readonly #db: SqlDatabase;
  readonly #row: ConversationRow;
  readonly #turns: TurnIndex;
  #lastSeq: number;
  #lastTimelineSeq: number;
  #nextPosition: number;
  #title: string | null;
  #tailEvents: number;
  #tailChars: number;
  #storedChars: number;
  #lastStoredAt: number;
  /** A compaction was written, so a snapshot is due. */
  compacted = false;

  constructor(db: SqlDatabase, row: ConversationRow) {
    this.#db = db;
    this.#row = row;
    this.#turns = new TurnIndex(db, row);
    this.#lastSeq = row.last_seq;
    this.#lastTimelineSeq = row.last_timeline_seq;
    this.#nextPosition = row.next_position;
    this.#title = row.title;
    this.#tailEvents = row.tail_events;
    this.#tailChars = row.tail_chars;
    this.#storedChars = row.stored_chars;
    this.#lastStoredAt = row.last_activity_at;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get lastTimelineSeq(): number {
    return this.#lastTimelineSeq;
  }

  get tailEvents(): number {
    return this.#tailEvents;
  }

  get tailChars(): number {
    return this.#tailChars;
  }

  /** Writes the index rows of the next event and returns its seq. */
  *add(event: TimelineEvent, chars: number, storedAt: number): Work<number> {
    this.#placeBlock(event);
    const seq = ++this.#lastSeq;
    this.#lastStoredAt = storedAt;
    this.#tailEvents++;
    this.#tailChars += chars;
    this.#storedChars += chars;
    if (INPUT_KINDS.has(event.kind)) yield* this.#writeInput(event, seq);
    else this.#lastTimelineSeq = seq;
    yield* this.#index(event, seq);
    return seq;
  }

  *finish(): Work<void> {
    const { turns, currentTurn } = yield* this.#turns.finish();
    yield* this.#db.run(
      `UPDATE conversations SET last_seq = ?, last_timeline_seq = ?, next_position = ?, title = ?, turns = ?, current_turn = ?,
        tail_events = ?, tail_chars = ?, stored_chars = ?, last_activity_at = CASE WHEN last_activity_at > ? THEN last_activity_at ELSE ? END
        WHERE id = ?`,
      this.#lastSeq,
      this.#lastTimelineSeq,
      this.#nextPosition,
      this.#title,
      turns,
      currentTurn,
      this.#tailEvents,
      this.#tailChars,
      this.#storedChars,
      this.#lastStoredAt,
      this.#lastStoredAt,
      this.#row.id,
    );
  }

  /** Rejects a block at a wrong position, which would make the whole conversation unreadable. */
  #placeBlock(event: TimelineEvent): void {
    if ("unknown" in event) return;
    if (event.kind !== "block.appended" && event.kind !== "compaction.committed") return;
    const { position } = event.body;
    if (position !== this.#nextPosition)
      throw storeError(
        "bad_event",
        `A block at position ${position} cannot follow ${this.#nextPosition} blocks. Load the conversation again.`,
        { position, expected: this.#nextPosition },
      );
    this.#nextPosition++;
    if (event.kind === "compaction.committed") this.compacted = true;
  }

  *#writeInput(event: TimelineEvent, seq: number): Work<void> {
    const key = inputKey(event);
    if (key === null) return;
    yield* this.#db.run(
      "INSERT INTO inputs (conversation, kind, key, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      this.#row.id,
      event.kind,
      toColumn(key),
      seq,
    );
    if (event.kind === "input.received")
      yield* this.#db.run(
        "INSERT INTO pending (conversation, key, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        this.#row.id,
        toColumn(key),
        seq,
      );
  }

  *#index(event: TimelineEvent, seq: number): Work<void> {
    const { id } = this.#row;
    const { paths } = indexRows(event);
    for (const { path, role, version, position, call_id } of paths) {
      const { rest, scheme } = pathColumns(path);
      const call = call_id === null ? null : toColumn(call_id);
      yield* this.#db.run(INSERT_PATH, id, rest, scheme, role, version, position, seq, call);
    }
    yield* this.#turns.note(event, seq);
    for (const key of leaving(event))
      yield* this.#db.run("DELETE FROM pending WHERE conversation = ? AND key = ?", id, toColumn(key));
    if (!("unknown" in event) && event.kind === "sources.merged")
      for (const { sid } of event.body.rows)
        yield* this.#db.run(
          "INSERT INTO pool (conversation, sid, seq) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
          id,
          sid,
          seq,
        );
    if (!("unknown" in event)) this.#noteTitle(event);
  }

  #noteTitle(event: KnownEvent): void {
    const current = this.#title === null ? null : fromColumn(this.#title);
    if (event.kind === "title.given" && replacesTitle(event.body, current)) this.#title = toColumn(event.body.title);
    if (event.kind !== "meta.set" || event.body.conversation_title === undefined) return;
    this.#title = event.body.conversation_title === null ? null : toColumn(event.body.conversation_title);
  }
}

/** The messages that wait no longer after this event. */
function leaving(event: TimelineEvent): readonly string[] {
  if ("unknown" in event) return [];
  if (event.kind === "input.withdrawn") return event.body.messages;
  return event.kind === "input.promoted" ? [event.body.key] : [];
}

/** The key under which an input has a row in `inputs`; null for timeline events and for a release (see `append.ts`). */
export function inputKey(event: TimelineEvent): string | null {
  if ("unknown" in event) return null;
  switch (event.kind) {
    case "input.received":
    case "input.withdrawn":
    case "cancel.requested":
    case "approval.given":
    case "feedback.received":
    case "order.changed":
    case "title.given":
      return event.body.key;
    default:
      return null;
  }
}
