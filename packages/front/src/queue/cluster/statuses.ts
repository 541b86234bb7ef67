/** The status of conversations in all processes, from journals and leases. Many conversations are queried at once. */
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import type { Status } from "../../live/live-item.ts";

export interface StandingsParts {
  readonly unfinished: (among: readonly ConversationKey[]) => AsyncIterable<UnfinishedConversation>;
  /** Whether the conversation waits for an approval; null if its last event is no longer `seq`. */
  readonly isAsking: (key: ConversationKey, seq: number) => Promise<boolean | null>;
}

interface Question {
  readonly key: ConversationKey;
  readonly answer: PromiseWithResolvers<Status>;
}

const MAX_REMEMBERED = 1_000;

export class Statuses {
  readonly #parts: StandingsParts;
  #questions = new Map<string, Question>();
  /** Whether a conversation waits for an approval at this seq. The oldest entries are dropped. */
  readonly #asking = new Map<string, { readonly seq: number; readonly isAsking: boolean }>();

  constructor(parts: StandingsParts) {
    this.#parts = parts;
  }

  /** Combines queries of the same moment into one. */
  of(key: ConversationKey): Promise<Status> {
    const name = scopeKey(key);
    const asked = this.#questions.get(name);
    if (asked !== undefined) return asked.answer.promise;
    if (this.#questions.size === 0) setImmediate(() => void this.#answerAll());
    const answer = Promise.withResolvers<Status>();
    this.#questions.set(name, { key, answer });
    return answer.promise;
  }

  async #answerAll(): Promise<void> {
    const questions = this.#questions;
    this.#questions = new Map();
    try {
      const found = new Map<string, UnfinishedConversation>();
      for await (const one of this.#parts.unfinished([...questions.values()].map(({ key }) => key)))
        found.set(scopeKey(one.key), one);
      for (const [name, { key, answer }] of questions)
        answer.resolve((await this.#statusOf(name, found.get(name))) ?? this.of(key));
    } catch (error) {
      for (const { answer } of questions.values()) answer.reject(error);
    }
  }

  /** The status; null if the conversation has changed since the first query, because its lease may be held now. */
  async #statusOf(name: string, unfinished: UnfinishedConversation | undefined): Promise<Status | null> {
    if (unfinished === undefined) return "idle";
    if (unfinished.held_ms > 0) return "running";
    const isAsking = await this.#isAsking(name, unfinished);
    return isAsking === null ? null : isAsking ? "waiting" : "queued";
  }

  async #isAsking(name: string, { key, last_seq: seq }: UnfinishedConversation): Promise<boolean | null> {
    const known = this.#asking.get(name);
    if (known?.seq === seq) return known.isAsking;
    const isAsking = await this.#parts.isAsking(key, seq);
    if (isAsking === null) return null;
    this.#asking.delete(name);
    this.#asking.set(name, { seq, isAsking });
    const [oldest] = this.#asking.keys();
    if (this.#asking.size > MAX_REMEMBERED && oldest !== undefined) this.#asking.delete(oldest);
    return isAsking;
  }
}
