/**
 * The sweep for lost conversations: finds unfinished conversations without a job, because their server died between
 * storing a message and enqueuing it, or PostgreSQL was unavailable. It runs rarely, in one process at a time.
 */
import { type ConversationKey, scopeKey, type UnfinishedConversation } from "@cairn/store";
import { backOff } from "@cairn/timeline";
import type { TurnJobs } from "./turn-jobs.ts";

export interface LostTurnsParts {
  readonly unfinished: () => AsyncIterable<UnfinishedConversation>;
  readonly jobs: TurnJobs;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
}

const PIECE = 200;
/**
 * A conversation that did not change after it was enqueued probably waits for an approval, or its job was lost again.
 * It is enqueued again after this time, which doubles each time up to a maximum.
 */
const AGAIN_MS = 15_000;
const MAX_AGAIN_MS = 600_000;

interface Offered {
  readonly seq: number;
  readonly at: number;
  /** How often the conversation was enqueued at this seq. */
  readonly times: number;
}

export class LostTurns {
  readonly #parts: LostTurnsParts;
  #offered = new Map<string, Offered>();

  constructor(parts: LostTurnsParts) {
    this.#parts = parts;
  }

  /** Enqueues lost conversations and returns them. */
  async offer(): Promise<readonly ConversationKey[]> {
    const found: ConversationKey[] = [];
    const still = new Map<string, Offered>();
    let piece: UnfinishedConversation[] = [];
    for await (const conversation of this.#parts.unfinished()) {
      if (conversation.held_ms > 0) continue;
      const name = scopeKey(conversation.key);
      const before = this.#offered.get(name);
      if (before?.seq === conversation.last_seq && this.#parts.now() < againAt(before)) still.set(name, before);
      else piece.push(conversation);
      if (piece.length < PIECE) continue;
      found.push(...(await this.#offerPiece(piece, still)));
      piece = [];
    }
    if (piece.length > 0) found.push(...(await this.#offerPiece(piece, still)));
    this.#offered = still;
    return found;
  }

  async #offerPiece(piece: readonly UnfinishedConversation[], offered: Map<string, Offered>) {
    const { jobs, now } = this.#parts;
    const seqs = new Map(piece.map(({ key, last_seq }) => [scopeKey(key), last_seq]));
    const lost = await jobs.without(piece.map(({ key }) => key));
    for (const key of lost) {
      await jobs.offer({ key, failures: 0 });
      const [name, seq] = [scopeKey(key), seqs.get(scopeKey(key)) ?? 0];
      const before = this.#offered.get(name);
      offered.set(name, { seq, at: now(), times: before?.seq === seq ? before.times + 1 : 1 });
    }
    return lost;
  }
}

function againAt({ at, times }: Offered): number {
  return at + backOff(times, AGAIN_MS, MAX_AGAIN_MS);
}
