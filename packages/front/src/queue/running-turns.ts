/** The running turns of this process: their number, their conversations, and how they are stopped. */
import { setTimeout as wait } from "node:timers/promises";
import { HeldShares, type ShareLimits } from "@cairn/agent";
import { type ConversationKey, type Scope, scopeKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** The place of a running turn. `end` must be called when the turn has ended. */
export interface RunningTurn {
  /** Aborts when the process stops and the turn has not ended in time. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

export class RunningTurns {
  readonly #running = new Map<string, Running>();
  readonly #held: HeldShares;

  constructor(limits: ShareLimits) {
    this.#held = new HeldShares(limits);
  }

  get size(): number {
    return this.#running.size;
  }

  has(key: ConversationKey): boolean {
    return this.#running.has(scopeKey(key));
  }

  /** Whether a turn may begin: a place is free, and the owner's user and tenant are below their shares. */
  hasRoomFor(owner: Scope): boolean {
    return this.#held.reached(owner) === null;
  }

  /** Tenants and users (as `scopeKey`) that hold their share. */
  full(): ReturnType<HeldShares["full"]> {
    return this.#held.full();
  }

  /** Takes a place for a turn of a conversation that has no running turn in this process. */
  begin(key: ConversationKey): RunningTurn {
    const name = scopeKey(key);
    const stop = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#held.take(key);
    this.#running.set(name, { stop, done });
    return {
      signal: stop.signal,
      end: () => {
        this.#running.delete(name);
        this.#held.give(key);
        resolve();
      },
    };
  }

  /** Waits for turns to end for this long, then stops the remaining ones. */
  async drain(graceMs: number): Promise<void> {
    const all = () => Promise.all([...this.#running.values()].map(({ done }) => done));
    const patience = new AbortController();
    // When all turns have ended, the timer is aborted, which is not an error.
    const grace = wait(graceMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([all(), grace]);
    patience.abort();
    for (const { stop } of this.#running.values())
      stop.abort(new CairnError("draining", "The server is stopping; the turn continues at the next start."));
    await all();
  }
}
