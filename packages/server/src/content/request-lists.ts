/** The model requests of conversations, from their receipts. */
import { noRequest, type RecordedRequest, RequestReader } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { JournalMemo } from "./journal-memo.ts";

interface Requests {
  readonly reader: RequestReader;
  readonly byNumber: Map<number, RecordedRequest>;
}

export class RequestLists {
  readonly #memo: JournalMemo<Requests>;

  constructor(store: ConversationStore) {
    this.#memo = new JournalMemo<Requests>(store, {
      begin: () => ({ reader: new RequestReader(), byNumber: new Map() }),
      add: ({ reader, byNumber }, stored) => {
        const request = reader.see(stored);
        // Returns the first of several requests with the same number, which only journals of other origin contain.
        if (request !== null && !byNumber.has(request.n)) byNumber.set(request.n, request);
      },
    });
  }

  async of(key: ConversationKey, after: number, signal?: AbortSignal): Promise<readonly RecordedRequest[]> {
    const { byNumber } = await this.#memo.read(key, signal);
    return [...byNumber.values()].filter(({ n }) => n > after);
  }

  /** The first request of the turn that a request belongs to. */
  async firstOfTurn(key: ConversationKey, request: RecordedRequest): Promise<RecordedRequest> {
    const { byNumber } = await this.#memo.read(key);
    return [...byNumber.values()].find(({ turnId }) => turnId === request.turnId) ?? request;
  }

  /** Throws `not_found`. */
  async find(key: ConversationKey, n: number, signal?: AbortSignal): Promise<RecordedRequest> {
    const { byNumber } = await this.#memo.read(key, signal);
    const found = byNumber.get(n);
    if (found === undefined) throw noRequest(n, [...byNumber.keys()].at(-1) ?? 0);
    return found;
  }
}
