/**
 * Writes snapshots at a cost proportional to what is appended.
 *
 * The keeper follows the conversations that this process writes to: each batch is folded into a cached state, so a due
 * snapshot needs no reading and is written in the batch's transaction. Only a few conversations are followed. If a
 * conversation is not followed, or another process has written to it, its state is loaded once.
 */
import type { AppendOutcome } from "./append-outcome.ts";
import { type ConversationRow, conversationById, lockById } from "./conversations.ts";
import type { PreparedEvent } from "./event-row.ts";
import { type Folding, foldEvent, foldOn, loadFolding } from "./load.ts";
import { encodeSnapshot, SNAPSHOT_FORMAT, snapshotCrc, trimSeqs } from "./snapshot-body.ts";
import { keepsSnapshot } from "./snapshot-rule.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const MAX_FOLLOWED = 16;
/** Approximate maximum of characters in the blocks and sources of all cached states. */
const MAX_FOLLOWED_CHARS = 32_000_000;

/** A cached state, and the characters of its blocks and sources at its last snapshot and of the events since then. */
interface Followed {
  readonly folding: Folding;
  readonly chars: number;
}

export class SnapshotKeeper {
  readonly #db: SqlDatabase;
  /** Cached states by conversation, least recently used first. */
  readonly #followed = new Map<number, Followed>();

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  /** Writes a due snapshot in an append's transaction. Returns true if `catchUp` has to write the snapshot instead. */
  *noteAppend({ conversation, written, afterSeq, snapshotDue }: AppendOutcome): Work<boolean> {
    const isFollowed = this.#fold(conversation.id, afterSeq, written);
    if (!snapshotDue || written.length === 0) return false;
    const folding = this.#followed.get(conversation.id)?.folding;
    if (!isFollowed || folding === undefined) return true;
    yield* this.#write(conversation, folding);
    this.#follow(conversation.id, folding, charsOf(folding));
    return false;
  }

  /** Loads the conversation, writes its snapshot and follows it. Loading comes before the write transaction. */
  async catchUp(conversation: number): Promise<void> {
    const db = this.#db;
    const folding = await db.read(function* () {
      const row = yield* conversationById(db, conversation);
      return row === null || row.stage !== 0 ? null : yield* loadFolding(db, row);
    });
    if (folding !== null) await db.write(() => this.#keep(conversation, folding));
  }

  *#keep(conversation: number, folding: Folding): Work<void> {
    const row = yield* lockById(this.#db, conversation);
    if (row === null || row.tail_events === 0 || folding.seq > row.last_seq) return;
    yield* foldOn(this.#db, row, folding);
    yield* this.#write(row, folding);
    this.#follow(conversation, folding, charsOf(folding));
  }

  /** Forgets the states that were used least recently, and a state that is larger than the maximum of all. */
  #follow(conversation: number, folding: Folding, chars: number): void {
    this.#followed.delete(conversation);
    this.#followed.set(conversation, { folding, chars });
    let total = this.#followed.values().reduce((sum, each) => sum + each.chars, 0);
    for (const [oldest, followed] of this.#followed) {
      if (this.#followed.size <= MAX_FOLLOWED && total <= MAX_FOLLOWED_CHARS) break;
      this.#followed.delete(oldest);
      total -= followed.chars;
    }
  }

  /** Runs work that speeds up later reads. The events are already durable, so its failure must not fail the write. */
  async keepUp(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      // A later append repeats the work that failed. The next search also indexes all events that are not indexed yet.
      this.forget();
    }
  }

  /** Forgets all cached states, because the last events may not have been committed. */
  forget(): void {
    this.#followed.clear();
  }

  /** Folds a batch; returns false for a conversation whose state is not cached up to `afterSeq`. */
  #fold(conversation: number, afterSeq: number, events: readonly PreparedEvent[]): boolean {
    const followed = this.#followed.get(conversation);
    if (followed === undefined) return false;
    this.#followed.delete(conversation);
    const { folding } = followed;
    if (folding.seq !== afterSeq) return false;
    let [seq, chars] = [afterSeq, followed.chars];
    for (const { event, body } of events) {
      foldEvent(folding, event, ++seq);
      chars += body.length;
    }
    this.#follow(conversation, folding, chars);
    return this.#followed.has(conversation);
  }

  *#write(conversation: ConversationRow, folding: Folding): Work<void> {
    const { id, kept_seq } = conversation;
    trimSeqs(folding.state, folding.seqs);
    const { seq, timelineSeq } = folding;
    const body = yield* encodeSnapshot(this.#db, conversation, folding);
    const kept = yield* this.#db.all<{ id: number; ordinal: number; seq: number }>(
      "SELECT id, ordinal, seq FROM snapshots WHERE conversation = ?",
      id,
    );
    const ordinal = 1 + kept.reduce((most, each) => Math.max(most, each.ordinal), 0);
    // Snapshots before the cuts of branches are kept, because branches load from them.
    for (const each of kept)
      if (each.seq > kept_seq && !keepsSnapshot(each.ordinal, ordinal))
        yield* this.#db.run("DELETE FROM snapshots WHERE id = ?", each.id);
    yield* this.#db.run(
      `INSERT INTO snapshots (conversation, seq, timeline_seq, ordinal, version, crc, body)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (conversation, seq) DO UPDATE SET timeline_seq = excluded.timeline_seq,
        ordinal = excluded.ordinal, version = excluded.version, crc = excluded.crc, body = excluded.body`,
      id,
      seq,
      timelineSeq,
      ordinal,
      SNAPSHOT_FORMAT,
      snapshotCrc({ owner: id, seq, timeline_seq: timelineSeq, body }),
      body,
    );
    yield* this.#db.run(
      "UPDATE conversations SET tail_events = 0, tail_chars = 0, snapshot_chars = ? WHERE id = ?",
      body.length,
      id,
    );
  }
}

function charsOf({ state }: Folding): number {
  const blocks = state.window.reduce((sum, { block }) => sum + (block.text?.length ?? 0), 0);
  return state.pool
    .rows()
    .reduce((sum, { text, content }) => sum + (text?.length ?? 0) + (content?.length ?? 0), blocks);
}
