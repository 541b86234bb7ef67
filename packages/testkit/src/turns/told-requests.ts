/**
 * The requests of a conversation by its receipts, beside those that the provider saw and billed: each receipt is
 * serialised again, and its bytes identify the request that was sent.
 */
import { rebuildRequest, recordedRequests, resolveSpeller, spellRequest } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { RecordedRequest as WireRequest } from "../models/index.ts";
import { countTraceTokens } from "./trace.ts";

export interface ToldRequest {
  readonly n: number;
  readonly purpose: string;
  /** The number of tokens that the receipt predicts to be read from the cache. */
  readonly predictedRead: number | null;
  readonly reportedRead: number | null;
  /** The provider's record; null if these bytes were never sent. */
  readonly billedRead: number | null;
  /** Whether rendering the state again gives the hashes of the receipt. */
  readonly isRebuilt: boolean;
  /** Whether serialising the request again gives the hash of the bytes that were sent. */
  readonly isSpelled: boolean | null;
  readonly resets: readonly string[];
  /** Why the prefix of the request differs from that of the previous request. */
  readonly miss: string | null;
  /** Why the cache should contain less than the previous request left in it. */
  readonly cold: string | null;
  /** Whether the receipt records only the additions. */
  readonly continues: boolean;
}

export async function toldRequests(
  store: ConversationStore,
  key: ConversationKey,
  sent: readonly WireRequest[],
): Promise<ToldRequest[]> {
  const told: ToldRequest[] = [];
  let next = 0;
  for await (const { n, record, receipt, miss, cold, model } of recordedRequests(store, key)) {
    const past = await rebuildRequest(store, key, n, countTraceTokens);
    const { body, same } = await spellRequest(store, key, past, await resolveSpeller(model ?? ""));
    // A retried request may have the same bytes as the request before it, so requests are matched in order.
    const at = sent.findIndex(({ bytes, usage }, index) => index >= next && bytes === body && usage !== null);
    const wire = sent[at];
    if (at !== -1) next = at + 1;
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
