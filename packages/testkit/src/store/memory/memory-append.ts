/** How the reference store appends: every rule of the contract, in the order of the contract. */
import { type Appended, type AppendOptions, storeError } from "@cairn/store";
import {
  applyEvent,
  type CairnError,
  decodeEvent,
  encodeEvent,
  INPUT_KINDS,
  type TimelineEvent,
} from "@cairn/timeline";
import { type JournalRow, lastTimelineSeq, type MemoryConversation, stateOf } from "./memory-data.ts";

export function appendEvents(
  conversation: MemoryConversation,
  events: readonly TimelineEvent[],
  now: number,
  options: AppendOptions & { readonly fresh?: boolean } = {},
): Appended {
  const { journal } = conversation;
  const { lease, dropStreams = [] } = options;
  const needsLease =
    events.some((event) => !INPUT_KINDS.has(event.kind)) || dropStreams.length > 0 || options.spent !== undefined;
  if (needsLease && options.fresh !== true) {
    if (lease === undefined) throw storeError("lease_required", "Timeline events need the lease.");
    checkToken(conversation, lease.token);
    if (lease.expectedSeq !== lastTimelineSeq(journal))
      throw storeError("conflict", `The last timeline event is ${lastTimelineSeq(journal)}.`);
  }
  for (const amount of Object.values(options.spent ?? {}))
    if (!Number.isFinite(amount) || amount < 0)
      throw storeError("bad_argument", "What was spent must be a number from 0 up.");
  const draft: JournalRow[] = [];
  const seqs: number[] = [];
  const state = stateOf(journal);
  const known = new Map<string, number>();
  for (const row of journal) {
    const input = inputKey(row);
    if (input !== null) known.set(input, row.seq);
  }
  for (const event of events) {
    const envelope = checkedEnvelope(event);
    const input = inputKey(envelope);
    const repeated = input === null ? undefined : known.get(input);
    if (repeated !== undefined) {
      seqs.push(repeated);
      continue;
    }
    try {
      applyEvent(state, decodeEvent(JSON.parse(envelope.envelope)));
    } catch (error) {
      throw asBadEvent(error);
    }
    const missing = encodeEvent(event).blobs.find((ref) => !conversation.references.has(ref));
    if (missing !== undefined)
      throw storeError("blob_missing", `The conversation holds no ${missing}.`, { blob: missing });
    const seq = journal.length + draft.length + 1;
    draft.push({ seq, stored_at: now, endsBatch: false, ...envelope });
    seqs.push(seq);
    if (input !== null) known.set(input, seq);
  }
  const last = draft.pop();
  if (last !== undefined) {
    journal.push(...draft, { ...last, endsBatch: true });
    conversation.last_activity_at = now;
  }
  for (const stream of dropStreams) conversation.streams.delete(stream);
  return { seqs, lastSeq: journal.length, lastTimelineSeq: lastTimelineSeq(journal) };
}

export function checkToken(conversation: MemoryConversation, token: number): void {
  if (conversation.lease?.token !== token)
    throw storeError("lease_lost", "The lease is no longer this one.", { token });
}

function checkedEnvelope(event: TimelineEvent): { envelope: string; kind: string } {
  try {
    const envelope = JSON.stringify(encodeEvent(event));
    return { envelope, kind: decodeEvent(JSON.parse(envelope)).kind };
  } catch (error) {
    throw asBadEvent(error);
  }
}

function asBadEvent(error: unknown): CairnError {
  return storeError("bad_event", error instanceof Error ? error.message : String(error));
}

/** The key that equal inputs share: kind and `key`. Other events have none, because they may repeat. */
function inputKey(row: { readonly kind: string; readonly envelope: string }): string | null {
  return INPUT_KINDS.has(row.kind) ? JSON.stringify([row.kind, JSON.parse(row.envelope).body.key]) : null;
}
