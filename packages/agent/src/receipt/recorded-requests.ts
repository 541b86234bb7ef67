/**
 * The model requests of a conversation from their receipts, oldest first, in one pass over the journal.
 *
 * Receipts are differences, so each is applied to the one before. The cost of a request depends on what it adds; the
 * whole prefix is compared only after a reset, or when a process started a new chain.
 */
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import {
  applyReceipt,
  type CacheMiss,
  type ExplainedMiss,
  explainCacheMiss,
  type Receipt,
  type RequestChain,
  receiptOf,
} from "@cairn/timeline";
import { type ColdCache, coldCauses, explainCold, type MadeRequest } from "./explain-cold.ts";
import { type RequestRecord, readRequestRecord } from "./request-record.ts";

export interface RecordedRequest {
  /** Number of the request in its conversation, from 1. */
  readonly n: number;
  /** Seq of its receipt; the state before it was rendered for the request. */
  readonly seq: number;
  readonly turnId: string | null;
  /** The model's id, such as `anthropic:claude-…`. */
  readonly model: string | null;
  readonly receipt: Receipt;
  /** Further data of the receipt: how it was sent, and the prediction for the cache. */
  readonly record: RequestRecord;
  /** The hashes of the whole request. */
  readonly chain: RequestChain;
  /** Why the request could not read its whole prefix from the cache; null if it extends the previous one. */
  readonly miss: CacheMiss | null;
  /** Why the request should read less than the previous request left in the cache, for other causes than `miss`. */
  readonly cold: ColdCache | null;
  /** Further causes that coincide with `miss` or `cold`, each of which would cost cached content on its own. */
  readonly coincident: readonly CoincidentCause[];
}

type CoincidentCause = ExplainedMiss["also"][number] | ColdCache;

interface RecordedRequestsOptions {
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

/** Reads requests from the events of a journal, which must come in order from the first. It can be continued later. */
export class RequestReader {
  #last: RequestChain | null = null;
  #made: MadeRequest | null = null;

  see({ seq, event }: StoredEvent): RecordedRequest | null {
    if ("unknown" in event || event.kind !== "model.receipt") return null;
    const receipt = receiptOf(event.body);
    if (receipt === null) return null;
    const [last, made] = [this.#last, this.#made];
    const chain: RequestChain = applyReceipt(last, receipt);
    const record = readRequestRecord(event.body);
    const miss = last === null || extendsIt(last, chain) ? null : explainCacheMiss(last, chain);
    const now: MadeRequest = { record, startedAt: receipt.started_at };
    const [cold = null, ...colder] = made === null || miss !== null ? [] : explainCold(made, now);
    const beside = made === null || miss === null ? colder : [...miss.also, ...coldCauses(made, now)];
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
      cold,
      coincident: beside,
    };
  }
}

/** Computed from the receipt alone: everything that was sent before is kept. */
function extendsIt(last: RequestChain, { receipt }: RequestChain): boolean {
  const { keep, previous, system, tools } = receipt;
  return previous === last.n && keep === last.length && system === last.receipt.system && tools === last.receipt.tools;
}
