/** A request before and after it is sent: its plan, the sent bytes, and the prediction for the cache. */
import type { RequestTokens } from "@cairn/timeline";
import type { ModelRequest, SentBody } from "../../model/model.ts";
import type { ExpectedRequest } from "../../receipt/cache-memory.ts";
import type { RequestRecord } from "../../receipt/request-record.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** A request that is planned: everything that will be sent to the model, and Cairn's own count of its tokens. */
export interface PlannedRequest {
  readonly purpose: RequestRecord["purpose"];
  readonly request: ModelRequest;
  readonly tokens: RequestTokens;
}

export class InFlightRequest {
  readonly planned: PlannedRequest;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly #context: TurnContext;
  #firstTokenAt: number | null = null;
  #isRecorded = false;
  #sent: SentBody | null = null;
  #expected: ExpectedRequest | null = null;

  constructor(context: TurnContext, planned: PlannedRequest) {
    this.#context = context;
    this.planned = planned;
    this.startedAt = context.now();
  }

  /** The bytes that were sent; null before they are sent, and for models without a network. */
  get sent(): SentBody | null {
    return this.#sent;
  }

  /** The prediction of the cache read, made when the request was sent. */
  get expected(): ExpectedRequest | null {
    return this.#expected;
  }

  /** Whether the request was sent and has no receipt yet. */
  get isUnderWay(): boolean {
    return this.#sent !== null && !this.#isRecorded;
  }

  /** Records the bytes that were sent, and predicts the cache read. */
  readonly noteSent = (sent: SentBody): void => {
    this.#sent = sent;
    this.#expected = this.#context.progress.memory.expect(sent, this.startedAt / 1000);
  };

  /** Records that a piece of the answer has arrived. */
  noteToken(): void {
    this.#firstTokenAt ??= this.#context.now();
  }

  timing(endedAt: number): NonNullable<RequestRecord["timing"]> {
    // Durations are never negative, even if the clock was set back.
    const since = (time: number) => Math.max(0, time - this.startedAt);
    return {
      ...(this.#firstTokenAt === null ? {} : { first_token_ms: since(this.#firstTokenAt) }),
      total_ms: since(endedAt),
    };
  }

  noteReceipt(): void {
    this.#isRecorded = true;
  }
}
