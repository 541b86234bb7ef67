/** Looks for everything that is not as it was written, and names each defect. Reads only. */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import {
  type BlobRef,
  CairnError,
  encodeEvent,
  indexRows,
  snapshotState,
  type TimelineEvent,
  type TimelineState,
} from "@cairn/timeline";
import type { BlobStore } from "../contract/blob-store.ts";
import type { Defect } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { type ConversationRow, requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { decodeRow, type EventRow } from "./event-row.ts";
import { beginFolding, eventRows, foldEvent } from "./load.ts";
import { pathColumns } from "./path-columns.ts";
import { findReference, type RefRow } from "./references.ts";
import { decodeSnapshot, SNAPSHOT_FORMAT, type SnapshotRow } from "./snapshot-body.ts";
import { toStoreError } from "./sqlite-error.ts";

const PIECE = 500;

export async function* verifyStore(db: Database, blobs: BlobStore, signal?: AbortSignal): AsyncGenerator<Defect> {
  yield* await checkDatabase(db);
  let after = 0;
  for (;;) {
    const next = await orDefect(null, () => db.read(() => nextConversation(db, after), signal));
    if ("defect" in next) {
      yield next.defect;
      return;
    }
    if (next.value === undefined) return;
    const { id, ...key } = next.value;
    after = id;
    for (const defect of await verifyConversation(db, blobs, key, signal)) yield defect;
  }
}

export async function verifyConversation(
  db: Database,
  blobs: BlobStore,
  key: ConversationKey,
  signal?: AbortSignal,
): Promise<Defect[]> {
  const defects: Defect[] = [];
  const row = await db.read(() => requireConversation(db, key), signal);
  const journal = new JournalCheck(db, row, key, defects);
  const checked = await orDefect(key, async () => {
    for (let more = true; more; ) {
      more = await db.read(() => journal.checkPiece(), signal);
      await yieldToOthers();
    }
    return db.read(
      () => db.all<RefRow>("SELECT hash, size, used_seq FROM refs WHERE conversation = ?", row.id),
      signal,
    );
  });
  if ("defect" in checked) return [...defects, checked.defect];
  for (const ref of checked.value) {
    const defect = await checkBlob(blobs, key, ref, signal);
    if (defect !== null) defects.push(defect);
  }
  return defects;
}

/** Walks one conversation's journal, folding as it goes. */
class JournalCheck {
  readonly #db: Database;
  readonly #row: ConversationRow;
  readonly #key: ConversationKey;
  readonly #defects: Defect[];
  readonly #folding = beginFolding();
  #seq = 0;
  /** After a defect that the fold cannot pass, states are no longer compared. */
  #folds = true;

  constructor(db: Database, row: ConversationRow, key: ConversationKey, defects: Defect[]) {
    this.#db = db;
    this.#row = row;
    this.#key = key;
    this.#defects = defects;
  }

  /** False when the end was reached. */
  checkPiece(): boolean {
    const rows = eventRows(this.#db, this.#row.id, this.#seq, this.#row.last_seq, PIECE);
    for (const row of rows) this.#checkEvent(row);
    if (rows.length === PIECE) return true;
    if (this.#seq < this.#row.last_seq) this.#gap(this.#seq + 1, this.#row.last_seq);
    this.#checkCounters();
    return false;
  }

  /** Events behind the last one the conversation's row knows of would be read by nobody. */
  #checkCounters(): void {
    const newest = this.#db.get<{ seq: number | null }>(
      "SELECT max(seq) AS seq FROM events WHERE conversation = ?",
      this.#row.id,
    )?.seq;
    const { last_seq, last_timeline_seq, next_position } = this.#row;
    if ((newest ?? 0) > last_seq)
      this.#add(
        "seq_gap",
        `The journal goes on to event ${newest}, but the conversation ends at ${last_seq}.`,
        last_seq,
      );
    if (
      this.#folds &&
      (this.#folding.timelineSeq !== last_timeline_seq || this.#folding.state.nextPosition !== next_position)
    )
      this.#add(
        "seq_gap",
        "The conversation's row has another last timeline event or block than its journal.",
        last_seq,
      );
  }

  #checkEvent(row: EventRow): void {
    if (row.seq !== this.#seq + 1) this.#gap(this.#seq + 1, row.seq - 1);
    this.#seq = row.seq;
    const event = this.#decode(row);
    if (event === null) return;
    this.#checkReferences(event, row.seq);
    this.#checkIndex(event, row.seq);
    this.#fold(event, row.seq);
    this.#checkSnapshot(row.seq);
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

  #checkReferences(event: TimelineEvent, seq: number): void {
    for (const blob of encodeEvent(event).blobs)
      if (findReference(this.#db, this.#row.id, blob) === null)
        this.#add(
          "reference_missing",
          `Event ${seq} names ${blob}, to which the conversation has no reference.`,
          seq,
          blob,
        );
  }

  #checkIndex(event: TimelineEvent, seq: number): void {
    for (const { path, role, version, position } of indexRows(event).paths) {
      const { rest, scheme } = pathColumns(path);
      const found = this.#db.get<{ seq: number }>(
        `SELECT seq FROM paths
          WHERE conversation = ? AND rest = ? AND scheme = ? AND role = ? AND version = ? AND position = ?`,
        this.#row.id,
        rest,
        scheme,
        role,
        version,
        position,
      );
      if (found?.seq !== seq) this.#add("index_missing", `Event ${seq} is not indexed at ${path}.`, seq);
    }
  }

  #fold(event: TimelineEvent, seq: number): void {
    if (!this.#folds) return;
    try {
      foldEvent(this.#folding, event, seq);
    } catch (error) {
      this.#folds = false;
      const reason = error instanceof Error ? error.message : String(error);
      this.#add("fold_error", `Event ${seq} cannot be applied: ${reason}`, seq);
    }
  }

  #checkSnapshot(seq: number): void {
    const row = this.#db.get<SnapshotRow>(
      "SELECT seq, timeline_seq, crc, body FROM snapshots WHERE conversation = ? AND seq = ? AND version = ?",
      this.#row.id,
      seq,
      SNAPSHOT_FORMAT,
    );
    // Where the fold has stopped, the events themselves are the defect.
    if (row === undefined || !this.#folds) return;
    const restored = this.#restore(row);
    if (restored === null)
      this.#add("snapshot_mismatch", `The snapshot at ${seq} is damaged; the events stand in for it.`, seq);
    else if (JSON.stringify(snapshotState(restored)) !== JSON.stringify(snapshotState(this.#folding.state)))
      this.#add("snapshot_mismatch", `The snapshot at ${seq} is not the state its events give.`, seq);
  }

  #restore(row: SnapshotRow): TimelineState | null {
    try {
      return decodeSnapshot(this.#db, this.#row.id, row)?.state ?? null;
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

async function checkBlob(
  blobs: BlobStore,
  key: ConversationKey,
  { hash, size }: RefRow,
  signal?: AbortSignal,
): Promise<Defect | null> {
  try {
    let read = 0;
    for await (const chunk of blobs.get(key.tenant, hash, signal === undefined ? {} : { signal })) read += chunk.length;
    if (read === size) return null;
    return { code: "blob_corrupt", message: `${hash} has ${read} bytes instead of ${size}.`, key, blob: hash };
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    const code = error.code === "not_found" ? "blob_missing" : "blob_corrupt";
    return { code, message: `${hash}: ${error.message}`, key, blob: hash };
  }
}

async function checkDatabase(db: Database): Promise<Defect[]> {
  const checked = await orDefect(null, () =>
    db.read(() => db.all<{ integrity_check: string }>("PRAGMA integrity_check(100)")),
  );
  if ("defect" in checked) return [checked.defect];
  return checked.value
    .map((row) => row.integrity_check)
    .filter((line) => line !== "ok")
    .map((line) => ({ code: "database_corrupt" as const, message: `SQLite: ${line}`, key: null }));
}

function nextConversation(db: Database, after: number) {
  return db.get<ConversationKey & { id: number }>(
    `SELECT c.id, s.tenant, s.project, s.user, c.conversation FROM conversations c JOIN scopes s ON s.id = c.scope
      WHERE c.id > ? AND c.stage = 0 ORDER BY c.id LIMIT 1`,
    after,
  );
}

type Checked<T> = { readonly value: T } | { readonly defect: Defect };

/** A page that cannot be read is a defect to be named, not the end of the check. */
async function orDefect<T>(key: ConversationKey | null, work: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const typed = toStoreError(error);
    if (CairnError.is(typed) && typed.code === "corrupt")
      return { defect: { code: "database_corrupt", message: typed.message, key } };
    throw typed;
  }
}
