/**
 * Shares out memory between users and tenants for answers that are made from a whole conversation. An answer about a
 * conversation of 60 MB takes several times this memory: 30 answers at once took 4 GB. The reserved memory ("room")
 * depends on the stored size of the conversation, and is held until the answer was read.
 */
import { HeldShares, type ReachedLimit, type ShareLimits, unlessAborted } from "@cairn/agent";
import type { Scope } from "@cairn/store";
import { overShare } from "cairn-agent/turns";

/** Stored characters that are free. Nearly all conversations store less and need no room. */
const FREE_CHARS = 1_000_000;
/** Maximum size of the events of a page of turns. A page with a single turn may be larger. */
export const MAX_PAGE_BYTES = 8_000_000;
const PATIENCE_MS = 30_000;
const RETRY_SECONDS = 2;

interface Waiting {
  readonly owner: Scope;
  readonly chars: number;
  readonly enter: () => void;
  /** Characters held by later requests that overtook this one. */
  overtaken: number;
  /** The earlier request that this one overtook. */
  overtook: Waiting | null;
}

export class ViewRoom {
  readonly #limits: ShareLimits;
  readonly #held: HeldShares;
  readonly #waiting = new Set<Waiting>();

  constructor(limits: ShareLimits) {
    this.#limits = limits;
    this.#held = new HeldShares(limits);
  }

  /**
   * Waits for room for one answer, and returns the function that releases it. For a conversation that is larger than
   * the user's share, it reserves the whole share. Throws `over_share` if no room becomes free in time, and the reason
   * of the signal if the client leaves.
   */
  async enter(owner: Scope, storedChars: number, gone: AbortSignal): Promise<() => void> {
    const chars = Math.min(storedChars - FREE_CHARS, this.#limits.user);
    if (chars <= 0) return () => undefined;
    gone.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { owner, chars, enter: resolve, overtaken: 0, overtook: null };
    this.#waiting.add(waiting);
    this.#letIn();
    const late = setTimeout(() => {
      const reached = this.#held.reached(owner, chars) ?? this.#everyone();
      reject(overShare("views", reached, RETRY_SECONDS));
    }, PATIENCE_MS);
    try {
      await unlessAborted(promise, gone);
    } catch (error) {
      this.#waiting.delete(waiting);
      this.#letIn();
      throw error;
    } finally {
      clearTimeout(late);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#held.give(owner, chars);
      if (waiting.overtook !== null) waiting.overtook.overtaken -= chars;
      this.#letIn();
    };
  }

  /**
   * Starts waiting requests that fit, in order of arrival. A request may overtake the first one that waits for the
   * total only if both fit at the same time. So the first never waits for later requests.
   */
  #letIn(): void {
    let first: Waiting | null = null;
    for (const waiting of this.#waiting) {
      const { owner, chars } = waiting;
      const reached = this.#held.reached(owner, chars);
      if (reached?.of === "all") first ??= waiting;
      if (reached !== null) continue;
      if (first !== null && first.chars + first.overtaken + chars > this.#limits.total) continue;
      if (first !== null) first.overtaken += chars;
      waiting.overtook = first;
      this.#waiting.delete(waiting);
      this.#held.take(owner, chars);
      waiting.enter();
    }
  }

  #everyone(): ReachedLimit {
    return { of: "all", allowed: this.#limits.total, held: this.#held.total };
  }
}
