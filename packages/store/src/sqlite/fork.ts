/**
 * A fork copies the journal up to a settled place and shares the blobs. Settled means that a batch ended there and no
 * call was open: a fork can always go on from where it was cut.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { storeError } from "../contract/errors.ts";
import type { ConversationInfo } from "../contract/records.ts";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import { type ConversationRow, describeConversation, requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { decodeRow, type EventRow, prepareEvent } from "./event-row.ts";
import { eventRows, loadState } from "./load.ts";
import { checkSeq } from "./paging.ts";
import { shareReferences } from "./references.ts";
import { addStagedEvents, discardStaged, publishConversation, type StagedEvent, stageConversation } from "./staging.ts";

const PIECE = 500;

export async function forkConversation(
  db: Database,
  key: ConversationKey,
  seq: number,
  target: string,
  now: () => number,
  signal?: AbortSignal,
): Promise<ConversationInfo> {
  const targetKey = { ...key, conversation: target };
  checkConversationKey(targetKey);
  const source = await db.read(() => settledAt(db, requireConversation(db, key), checkSeq("seq", seq)), signal);
  const staged = await stageConversation(
    db,
    targetKey,
    {
      attributes: source.attributes,
      createdAt: now(),
      stagedAt: now(),
      forkedFrom: { conversation: key.conversation, seq },
    },
    signal,
  );
  try {
    await db.write(() => shareReferences(db, source.id, staged.id, seq, now()), signal);
    for (let copied = 0; copied < seq; ) {
      const rows = await db.read(() => eventRows(db, requireConversation(db, key).id, copied, seq, PIECE), signal);
      if (rows.length === 0)
        throw storeError("corrupt", `Event ${copied + 1} is missing. Run verify.`, { seq: copied + 1 });
      const events = rows.map(toStaged);
      await db.write(() => addStagedEvents(db, staged.id, events, now()), signal);
      copied += rows.length;
      await yieldToOthers();
    }
    return describeConversation(await publishConversation(db, targetKey, staged.id, now(), signal));
  } catch (error) {
    await discardStaged(db, staged.id, now());
    throw error;
  }
}

function settledAt(db: Database, row: ConversationRow, seq: number): ConversationRow {
  if (seq > row.last_seq)
    throw storeError("not_found", `The conversation has ${row.last_seq} events; there is no event ${seq}.`, { seq });
  if (seq === 0) return row;
  const batchEnd = db.get<{ batch_end: number }>(
    "SELECT batch_end FROM events WHERE conversation = ? AND seq = ?",
    row.id,
    seq,
  )?.batch_end;
  if (batchEnd !== seq)
    throw storeError("not_settled", `Event ${seq} is inside a batch; the batch ends at ${batchEnd}.`, {
      seq,
      batch_end: batchEnd,
    });
  const { unsettled } = loadState(db, row, seq).state;
  if (unsettled.size > 0)
    throw storeError("not_settled", `At event ${seq} a call was open. Cut where every call has settled.`, {
      seq,
      calls: [...unsettled.keys()],
    });
  return row;
}

function toStaged(row: EventRow): StagedEvent {
  return { prepared: prepareEvent(decodeRow(row)), batch_end: row.batch_end, stored_at: row.stored_at };
}
