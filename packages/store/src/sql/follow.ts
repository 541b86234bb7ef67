/** Events as they come: what is there first, then what anybody appends, each once and in order. */
import type { StoredEvent } from "../contract/records.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { requireConversation, requireSameConversation } from "./conversations.ts";
import { readEventRow } from "./event-row.ts";
import { journalRows } from "./load.ts";
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
  const isAborted = () => signal?.aborted === true;
  let after = checkSeq("after", options.after ?? 0);
  let id: number | null = null;
  while (!isAborted()) {
    const read = await db.read(function* () {
      const row = id === null ? yield* requireConversation(db, key) : yield* requireSameConversation(db, key, id);
      return { id: row.id, events: (yield* journalRows(db, row, after, PIECE)).map(readEventRow) };
    });
    id = read.id;
    for (const event of read.events) {
      if (isAborted()) return;
      after = event.seq;
      yield event;
    }
    if (read.events.length < PIECE && !(await feed.wait(id, after, signal))) return;
  }
}
