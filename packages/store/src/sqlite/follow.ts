/** Events as they come: what is there first, then what anybody appends, each once and in order. */
import type { StoredEvent } from "../contract/records.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { requireConversation, requireSameConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { readEventRow } from "./event-row.ts";
import { journalRows } from "./load.ts";
import { checkSeq } from "./paging.ts";

const PIECE = 200;

export interface FollowOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
}

export async function* followConversation(
  db: Database,
  feed: ChangeFeed,
  key: ConversationKey,
  options: FollowOptions,
): AsyncGenerator<StoredEvent, void, undefined> {
  const { signal } = options;
  const isAborted = () => signal?.aborted === true;
  let after = checkSeq("after", options.after ?? 0);
  let id: number | null = null;
  while (!isAborted()) {
    const read = await db.read(() => {
      const row = id === null ? requireConversation(db, key) : requireSameConversation(db, key, id);
      return { id: row.id, events: journalRows(db, row, after, PIECE).map(readEventRow) };
    });
    id = read.id;
    const { events } = read;
    for (const event of events) {
      if (isAborted()) return;
      after = event.seq;
      yield event;
    }
    if (events.length < PIECE && !(await feed.wait(id, after, signal))) return;
  }
}
