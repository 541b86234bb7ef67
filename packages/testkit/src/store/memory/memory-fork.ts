/** Creates a conversation of the reference store from a point of another conversation. */
import { type ConversationKey, checkConversationKey, scopeKey, storeError } from "@cairn/store";
import { checkRange, exists } from "./memory-arguments.ts";
import { emptyConversation, type MemoryConversation, type MemoryData, stateOf } from "./memory-data.ts";
import { namedBlobs } from "./memory-info.ts";

export function forkConversation(
  data: MemoryData,
  source: MemoryConversation,
  seq: number,
  target: ConversationKey,
  now: number,
): MemoryConversation {
  checkConversationKey(target);
  checkSeq(source, seq);
  const kept = source.journal.slice(0, seq);
  if (kept.at(-1)?.endsBatch === false || stateOf(kept).unsettled.size > 0)
    throw storeError("not_settled", `Event ${seq} is not the end of a settled batch.`);
  if (data.conversations.has(scopeKey(target))) throw exists(target);
  const { conversation } = source.key;
  const made = emptyConversation(now, target, source.attributes, {
    conversation,
    seq,
    root: source.forked_from?.root ?? conversation,
  });
  made.journal.push(...kept.map((row) => ({ ...row })));
  for (const ref of namedBlobs(kept)) made.references.set(ref, now);
  data.conversations.set(scopeKey(target), made);
  return made;
}

/** Throws for a seq after the last event. */
export function checkSeq({ journal }: MemoryConversation, seq: number): void {
  checkRange("seq", seq, 0, Number.MAX_SAFE_INTEGER);
  if (seq > journal.length) throw storeError("not_found", `There is no event ${seq}.`);
}
