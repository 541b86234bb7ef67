/**
 * The model requests of a conversation from their receipts, oldest first, in one pass over the journal.
 *
 * A receipt is the difference to the previous receipt, so reading one costs as much as its difference. The whole prefix
 * is compared only after a reset, or if a new process began without the earlier requests.
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
  /** Seq of its receipt. The state before this event was rendered for the request. */
  readonly seq: number;
  readonly turnId: string | null;
  /** The model's id, such as `anthropic:claude-…`. */
  readonly model: string | null;
  readonly receipt: Receipt;
  /** Further data of the receipt: how it was sent, and the prediction for the cache. */
  readonly record: RequestRecord;
  /** The hashes of all parts of the request. */
  readonly chain: RequestChain;
  /** Why the request could not read its whole prefix from the cache; null if it extends the previous one. */
  readonly miss: CacheMiss | null;
  /** Other causes than `miss` for a smaller cache read than the previous request made possible. */
  readonly cold: ColdCache | null;
  /** Further causes that occurred together with `miss` or `cold`. Each alone would make cached content unusable. */
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

/** Reads requests from the events of a journal, in order from the first event. More events may be added later. */
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

/** Computes the hashes from the receipt alone: without a reset, everything that was sent before is kept. */
function extendsIt(last: RequestChain, { receipt }: RequestChain): boolean {
  const { keep, previous, system, tools } = receipt;
  return previous === last.n && keep === last.length && system === last.receipt.system && tools === last.receipt.tools;
}
