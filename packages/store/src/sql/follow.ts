/**
 * Follows a conversation: existing events first, then new ones from any process, each once and in order.
 *
 * Aborting the signal or closing the store ends a follower without an error at any time: while it waits, between two
 * events, or in a read that fails because its connection was ended.
 */
import { storeError } from "../contract/errors.ts";
import type { StoredEvent } from "../contract/records.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { requireConversation, requireSameConversation } from "./conversations.ts";
import { journalEvents } from "./load.ts";
import { checkSeq } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";

const PIECE = 200;

export interface FollowOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export async function* followConversation(
  db: SqlDatabase,
  feed: ChangeFeed,
  key: ConversationKey,
  options: FollowOptions,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { signal } = options;
  const isOver = () => feed.isClosed || signal?.aborted === true;
  let after = checkSeq("after", options.after ?? 0);
  let id: number | null = null;
  if (feed.isClosed && signal?.aborted !== true) throw storeError("closed", "The store was closed.");
  while (!isOver()) {
    const read: Page | null = await readAfter(db, key, { id, after, signal }).catch((error: unknown) => {
      if (isOver()) return null;
      throw error;
    });
    if (read === null) return;
    id = read.id;
    for (const event of read.events) {
      if (isOver()) return;
      after = event.seq;
      yield event;
    }
    if (read.events.length < PIECE && !(await feed.wait(id, after, signal))) return;
  }
}

interface Page {
  readonly id: number;
  readonly events: readonly StoredEvent[];
}

interface Place {
  /** The conversation that is followed; null before the first read. */
  readonly id: number | null;
  readonly after: number;
  readonly signal: AbortSignal | undefined;
}

function readAfter(db: SqlDatabase, key: ConversationKey, { id, after, signal }: Place): Promise<Page> {
  return db.read(function* () {
    const row = id === null ? yield* requireConversation(db, key) : yield* requireSameConversation(db, key, id);
    return { id: row.id, events: yield* journalEvents(db, row, { after, limit: PIECE, without: [] }) };
  }, signal);
}
