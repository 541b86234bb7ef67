/** A fork copies the journal up to a settled event (a batch ends there, no call is open) and shares the blobs. */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import { type ConversationRow, requireConversation, requireSameConversation } from "./conversations.ts";
import { decodeRow, type EventRow, prepareEvent } from "./event-row.ts";
import { missingEvent } from "./load.ts";
import { checkSeq } from "./paging.ts";
import { shareReferences } from "./references.ts";
import { settledAt } from "./settled-at.ts";
import type { SqlDatabase } from "./sql-database.ts";
import {
  addStagedEvents,
  discardStaged,
  publishConversation,
  type StagedEvent,
  stageConversation,
  touchStaged,
} from "./staging.ts";
import { pageOfEvents } from "./take-events.ts";

const PIECE = 500;

export async function forkConversation(
  db: SqlDatabase,
  key: ConversationKey,
  seq: number,
  target: string,
  now: () => number,
  signal?: AbortSignal,
): Promise<ConversationRow> {
  const targetKey = { ...key, conversation: target };
  checkConversationKey(targetKey);
  const source = await db.read(function* () {
    const row = yield* requireConversation(db, key);
    yield* settledAt(db, row, checkSeq("seq", seq));
    return row;
  }, signal);
  const staged = await stageConversation(
    db,
    targetKey,
    {
      attributes: source.attributes,
      createdAt: now(),
      stagedAt: now(),
      forkedFrom: { conversation: key.conversation, seq, root: source.forked_root ?? source.conversation },
    },
    signal,
  );
  try {
    await db.write(function* () {
      yield* touchStaged(db, staged.id, now());
      yield* shareReferences(db, source, staged.id, seq, now());
    }, signal);
    for (let copied = 0; copied < seq; ) {
      const rows = await db.read(function* () {
        const owner = yield* requireSameConversation(db, key, source.id);
        return yield* pageOfEvents(db, owner, { after: copied, upTo: seq, limit: PIECE });
      }, signal);
      const events = rows.map((row) => toStaged(row, ++copied));
      if (events.length === 0) throw missingEvent(copied + 1);
      await db.write(() => addStagedEvents(db, staged.id, events, now()), signal);
      await yieldToOthers();
    }
    return await db.write(() => publishConversation(db, targetKey, staged.id, now()), signal);
  } catch (error) {
    await discardStaged(db, staged.id, now());
    throw error;
  }
}

function toStaged(row: EventRow, expectedSeq: number): StagedEvent {
  if (row.seq !== expectedSeq) throw missingEvent(expectedSeq);
  return { prepared: prepareEvent(decodeRow(row)), batch_end: row.batch_end, stored_at: row.stored_at };
}
