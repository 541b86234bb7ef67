/** A request from the moment it is sent to the model: the sent bytes, and the prediction for the cache. */
import { cacheStrategy } from "../../definition/agent-memory.ts";
import type { ModelPart, ModelRequest, SentBody } from "../../model/model.ts";
import type { ExpectedRequest } from "../../receipt/cache-memory.ts";
import { readBase64 } from "../../workspace/read-base64.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** The options of one request; the rest is the same for every request of the agent. */
export type AskedFor = Pick<
  ModelRequest,
  "view" | "ttl" | "maxOutputTokens" | "toolChoice" | "instruction" | "settings"
>;

export interface OpenFacts {
  readonly request: ModelRequest;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The sent request; null for models without a network, and before it is sent. */
  readonly sent: SentBody | null;
  readonly expected: ExpectedRequest | null;
}

export class OpenRequest {
  readonly request: ModelRequest;
  readonly #startedAt: number;
  readonly #context: TurnContext;
  #isTold = false;
  #sent: SentBody | null = null;
  #expected: ExpectedRequest | null = null;

  constructor(context: TurnContext, asked: AskedFor) {
    const { agent, cacheKey, key, specs, store, progress } = context;
    this.#context = context;
    this.#startedAt = context.now();
    this.request = {
      ...asked,
      system: agent.instructions,
      tools: specs,
      ...(progress.describes.size === 0 ? {} : { describes: [...progress.describes].sort() }),
      strategy: cacheStrategy(agent),
      cacheKey,
      readBlob: (ref) => readBase64(store.readBlob(key, ref)),
    };
  }

  /** Whether it was sent and its outcome is unknown. */
  get isUnderWay(): boolean {
    return this.#sent !== null && !this.#isTold;
  }

  /** The facts for its receipt. */
  facts(): OpenFacts {
    this.#isTold = true;
    return { request: this.request, startedAt: this.#startedAt, sent: this.#sent, expected: this.#expected };
  }

  parts(): AsyncIterable<ModelPart> {
    const { agent, journal, progress } = this.#context;
    const onSent = (sent: SentBody) => {
      this.#sent = sent;
      this.#expected = progress.memory.expect(sent, this.#startedAt / 1000);
    };
    return agent.model.stream(this.request, { signal: journal.workSignal, onSent });
  }
}
