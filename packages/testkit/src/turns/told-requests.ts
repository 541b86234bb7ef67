/**
 * What a conversation's receipts tell of its requests, beside what the provider saw and billed: each receipt is spelled
 * again, and the bytes find the request that was sent.
 */
import { rebuildRequest, recordedRequests, resolveSpeller, spellRequest } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { RecordedRequest as WireRequest } from "../models/index.ts";
import { countTraceTokens } from "./trace.ts";

export interface ToldRequest {
  readonly n: number;
  readonly purpose: string;
  /** The receipt's word. */
  readonly predictedRead: number | null;
  readonly reportedRead: number | null;
  /** The provider's; null when no such bytes were ever sent. */
  readonly billedRead: number | null;
  /** Whether rendering the state again gives the hashes of the receipt. */
  readonly isRebuilt: boolean;
  /** Whether spelling it again gives the hash of the bytes that were sent. */
  readonly isSpelled: boolean | null;
  readonly resets: readonly string[];
  /** Why its prefix is not that of the request before. */
  readonly miss: string | null;
  /** Why the cache should have less than the request before left in it. */
  readonly cold: string | null;
  /** Whether the receipt says only what is new. */
  readonly continues: boolean;
}

export async function toldRequests(
  store: ConversationStore,
  key: ConversationKey,
  sent: readonly WireRequest[],
): Promise<ToldRequest[]> {
  const told: ToldRequest[] = [];
  for await (const { n, record, receipt, miss, cold, model } of recordedRequests(store, key)) {
    const past = await rebuildRequest(store, key, n, countTraceTokens);
    const { body, same } = await spellRequest(store, key, past, await resolveSpeller(model ?? ""));
    // A request that is made again has the same bytes: the receipt is of the one that was answered.
    const wire = sent.findLast(({ bytes, usage }) => bytes === body && usage !== null);
    told.push({
      n,
      purpose: record.purpose,
      predictedRead: record.cache?.predicted_read ?? null,
      reportedRead: receipt.usage?.cache_read_tokens ?? null,
      billedRead: wire?.usage?.read ?? null,
      isRebuilt: past.check.same,
      isSpelled: same,
      resets: receipt.resets.map(({ cause }) => cause),
      miss: miss?.cause ?? null,
      cold: cold?.cause ?? null,
      continues: receipt.previous !== null,
    });
  }
  return told;
}
