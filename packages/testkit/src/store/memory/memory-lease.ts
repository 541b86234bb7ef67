/** The lease of a conversation in the reference store. */
import { storeError } from "@cairn/store";
import { checkToken } from "./memory-append.ts";
import { checkTtl } from "./memory-arguments.ts";
import { lastTimelineSeq, type MemoryConversation, type MemoryData } from "./memory-data.ts";

export function acquire(
  data: MemoryData,
  conversation: MemoryConversation,
  holder: string,
  ttlMs: number,
  now: number,
) {
  checkTtl(ttlMs);
  const { lease } = conversation;
  if (lease !== null && heldMs(conversation, now) > 0)
    throw storeError("lease_held", `${lease.holder} holds the lease.`, { expires_at: lease.expires_at });
  return grant(conversation, ++data.lastToken, holder, ttlMs, now);
}

export function renew(conversation: MemoryConversation, token: number, ttlMs: number, now: number) {
  checkTtl(ttlMs);
  checkToken(conversation, token);
  return grant(conversation, token, conversation.lease?.holder ?? "", ttlMs, now);
}

/** Milliseconds until the lease expires. With more than twice its time left, the clock was set back: 0. */
export function heldMs({ lease }: MemoryConversation, now: number): number {
  if (lease === null) return 0;
  const left = lease.expires_at - now;
  return left > 0 && left <= 2 * lease.ttl_ms ? left : 0;
}

function grant(conversation: MemoryConversation, token: number, holder: string, ttlMs: number, now: number) {
  const lease = { token, holder, expires_at: now + ttlMs };
  conversation.lease = { ...lease, ttl_ms: ttlMs };
  return { ...lease, last_timeline_seq: lastTimelineSeq(conversation.journal) };
}
