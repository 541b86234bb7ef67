/**
 * The model requests of a conversation, as their receipts tell them, oldest first: one pass over the journal.
 *
 * Receipts are differences, so each is put behind the one before it. A request that only adds to the one before costs
 * what it adds; only after a reset, or where a process began its chain anew, is the whole prefix compared.
 */
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import {
  applyReceipt,
  type CacheMiss,
  explainCacheMiss,
  type Receipt,
  type RequestChain,
  receiptOf,
} from "@cairn/timeline";
import { type ColdCache, explainCold, type MadeRequest } from "./explain-cold.ts";
import { type RequestRecord, readRequestRecord } from "./request-record.ts";

export interface RecordedRequest {
  /** Number of the request in its conversation, from 1. */
  readonly n: number;
  /** The seq of its receipt: the state before it is what was rendered. */
  readonly seq: number;
  readonly turnId: string | null;
  /** What the model calls itself, such as `anthropic:claude-…`. */
  readonly model: string | null;
  readonly receipt: Receipt;
  /** What the receipt holds beside that: how it was sent, and what was expected of the cache. */
  readonly record: RequestRecord;
  /** The hashes of the whole request. */
  readonly chain: RequestChain;
  /** Why it could not all be read from the cache; null when it extends the request before it, or is the first. */
  readonly miss: CacheMiss | null;
  /** Why it should read less than the request before it left, where that is not because of `miss`. */
  readonly cold: ColdCache | null;
}

export interface RecordedRequestsOptions {
  readonly signal?: AbortSignal;
}

const PAGE = 1_000;

export async function* recordedRequests(
  store: ConversationStore,
  key: ConversationKey,
  { signal }: RecordedRequestsOptions = {},
): AsyncGenerator<RecordedRequest> {
  const reader = new RequestReader();
  for (let after = 0; ; ) {
    const events = await store.readEvents(key, { after, limit: PAGE, ...(signal === undefined ? {} : { signal }) });
    for (const stored of events) {
      after = stored.seq;
      const request = reader.see(stored);
      if (request !== null) yield request;
    }
    if (events.length < PAGE) return;
  }
}

/** Tells the requests from the events of a journal, shown to it in order from the first: for who goes on later. */
export class RequestReader {
  #last: RequestChain | null = null;
  #made: MadeRequest | null = null;

  /** The request an event tells of; null for any other. */
  see({ seq, event }: StoredEvent): RecordedRequest | null {
    if ("unknown" in event || event.kind !== "model.receipt") return null;
    const receipt = receiptOf(event.body);
    if (receipt === null) return null;
    const [last, made] = [this.#last, this.#made];
    const chain: RequestChain = applyReceipt(last, receipt);
    const record = readRequestRecord(event.body);
    const miss = last === null || extendsIt(last, chain) ? null : explainCacheMiss(last, chain);
    const now: MadeRequest = { record, startedAt: receipt.started_at };
    [this.#last, this.#made] = [chain, now];
    return {
      n: chain.n,
      seq,
      turnId: record.turn_id,
      model: record.model,
      receipt,
      record,
      chain,
      miss,
      cold: made === null || miss !== null ? null : explainCold(made, now),
    };
  }
}

/** Told from the receipt alone: everything that was sent before is kept. */
function extendsIt(last: RequestChain, { receipt }: RequestChain): boolean {
  const { keep, previous, system, tools } = receipt;
  return previous === last.n && keep === last.length && system === last.receipt.system && tools === last.receipt.tools;
}
