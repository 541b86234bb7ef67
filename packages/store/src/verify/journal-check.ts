/** Checks one conversation against its journal: every event, the derived rows, snapshots and references. */
import { type BlobRef, CairnError, encodeEvent, type TimelineEvent, type TimelineState } from "@cairn/timeline";
import type { Defect } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { type ConversationRow, requireSameConversation } from "../sql/conversations.ts";
import { decodeRow, EVENT_COLUMNS, type EventRow } from "../sql/event-row.ts";
import { journalOf } from "../sql/lineage.ts";
import { beginFolding, foldEvent } from "../sql/load.ts";
import { findReference } from "../sql/references.ts";
import { WordCheck } from "../sql/search/word-check.ts";
import {
  comparableState,
  decodeSnapshot,
  SNAPSHOT_COLUMNS,
  type SnapshotRow,
  USABLE_SNAPSHOT,
  WHOLE,
} from "../sql/snapshot-body.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { Work } from "../sql/work.ts";
import { DerivedRows } from "./derived-rows.ts";

const PIECE = 500;

export class JournalCheck {
  readonly #db: SqlDatabase;
  /** The conversation's row, as of the transaction of the current piece. */
  #row: ConversationRow;
  readonly #key: ConversationKey;
  readonly #defects: Defect[];
  readonly #folding = beginFolding();
  readonly #derived: DerivedRows;
  readonly #words = new WordCheck();
  #seq = 0;
  /** After a defect that stops the fold, no more states are compared. */
  #folds = true;

  constructor(db: SqlDatabase, row: ConversationRow, key: ConversationKey, defects: Defect[]) {
    this.#db = db;
    this.#row = row;
    this.#key = key;
    this.#defects = defects;
    this.#derived = new DerivedRows(row);
  }

  close(): void {
    this.#derived.close();
  }

  /** One read transaction. Returns false at the end of the journal; writers may have continued. */
  *checkPiece(): Work<boolean> {
    this.#row = yield* requireSameConversation(this.#db, this.#key, this.#row.id);
    const rows = yield* this.#db.all<EventRow & { readonly id: number }>(
      `SELECT id, ${EVENT_COLUMNS} FROM ${journalOf(this.#row, "events")}
        AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
      this.#row.id,
      this.#seq,
      this.#row.last_seq,
      PIECE,
    );
    for (const row of rows) yield* this.#checkEvent(row);
    if (rows.length === PIECE) return true;
    if (this.#seq < this.#row.last_seq) this.#gap(this.#seq + 1, this.#row.last_seq);
    yield* this.#checkCounters();
    return false;
  }

  /** Looks for events after the last one that the conversation's row names, because no reader would find them. */
  *#checkCounters(): Work<void> {
    const newest = (yield* this.#db.get<{ seq: number | null }>(
      "SELECT max(seq) AS seq FROM events WHERE conversation = ?",
      this.#row.id,
    ))?.seq;
    const { last_seq } = this.#row;
    if ((newest ?? 0) > last_seq)
      this.#add(
        "seq_gap",
        `The last event of the journal is ${newest}, but the conversation's database row names event ${last_seq} as the last.`,
        last_seq,
      );
    if (this.#folds) yield* this.#checkDerived(last_seq);
  }

  *#checkDerived(lastSeq: number): Work<void> {
    for (const { where, missing, stray } of yield* this.#derived.deviations(this.#db))
      this.#add(
        stray === 0 ? "index_missing" : "index_mismatch",
        `\`${where}\` does not match the events: ${missing} rows are missing and ${stray} are not needed. \`cairn doctor --repair\` rebuilds the rows.`,
        lastSeq,
      );
    const wordless = yield* this.#words.countWrong(this.#db, this.#row);
    if (wordless > 0)
      this.#add(
        "index_mismatch",
        `The search index does not match the text of ${wordless} events. \`cairn doctor --repair\` rebuilds the rows.`,
        lastSeq,
      );
  }

  *#checkEvent(row: EventRow & { readonly id: number }): Work<void> {
    if (row.seq !== this.#seq + 1) this.#gap(this.#seq + 1, row.seq - 1);
    this.#seq = row.seq;
    const event = this.#decode(row);
    if (event === null) return;
    yield* this.#checkReferences(event, row.seq);
    this.#fold(event, row.seq);
    // The words of shared events of a branch belong to the conversations that contain these events.
    if (row.seq > this.#row.cut) this.#words.add(event, row);
    yield* this.#checkSnapshot(row.seq);
  }

  #decode(row: EventRow): TimelineEvent | null {
    try {
      return decodeRow(row);
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      this.#folds = false;
      this.#add(error.code === "newer_version" ? "newer_version" : "event_corrupt", error.message, row.seq);
      return null;
    }
  }

  *#checkReferences(event: TimelineEvent, seq: number): Work<void> {
    for (const blob of encodeEvent(event).blobs)
      if ((yield* findReference(this.#db, this.#row, blob)) === null)
        this.#add(
          "reference_missing",
          `Event ${seq} names blob ${blob}, to which the conversation has no reference.`,
          seq,
          blob,
        );
  }

  #fold(event: TimelineEvent, seq: number): void {
    if (!this.#folds) return;
    try {
      foldEvent(this.#folding, event, seq);
      this.#derived.add(event);
    } catch (error) {
      this.#folds = false;
      const reason = error instanceof Error ? error.message : String(error);
      this.#add("fold_error", `Event ${seq} cannot be applied: ${reason}`, seq);
    }
  }

  *#checkSnapshot(seq: number): Work<void> {
    const row = yield* this.#db.get<SnapshotRow>(
      `SELECT ${SNAPSHOT_COLUMNS} FROM snapshots WHERE conversation = ? AND seq = ? AND ${USABLE_SNAPSHOT}`,
      this.#row.id,
      seq,
    );
    // If the fold has stopped, the events are reported as the defect, and not the snapshots.
    if (row === undefined || !this.#folds) return;
    const restored = yield* this.#restore(row);
    if (restored === null)
      this.#add(
        "snapshot_mismatch",
        `The snapshot at event ${seq} is damaged. Until \`cairn doctor --repair\` rebuilds it, the conversation is loaded from its events.`,
        seq,
      );
    else if (comparableState(restored, row) !== comparableState(this.#folding.state, row))
      this.#add(
        "snapshot_mismatch",
        `The snapshot at event ${seq} does not match the state that its events give.`,
        seq,
      );
  }

  *#restore(row: SnapshotRow): Work<TimelineState | null> {
    try {
      return (yield* decodeSnapshot(this.#db, this.#row, row, WHOLE))?.state ?? null;
    } catch (error) {
      if (CairnError.is(error)) return null;
      throw error;
    }
  }

  #gap(from: number, to: number): void {
    this.#folds = false;
    const which = from === to ? `Event ${from} is` : `Events ${from} to ${to} are`;
    this.#add("seq_gap", `${which} missing from the journal.`, from);
  }

  #add(code: Defect["code"], message: string, seq: number, blob?: BlobRef): void {
    this.#defects.push({ code, message, key: this.#key, seq, ...(blob === undefined ? {} : { blob }) });
  }
}
