/**
 * How many programs run at a time in this process. A user and a tenant hold no more than their share of the slots.
 * Waiting programs are served in turn: tenants, then users of a tenant, then the programs of a user as they came.
 */
import { addAbortListener } from "node:events";
import { FairLine, HeldShares, type Shares, shareLimits, type ToolContext, WHOLE } from "@cairn/agent";

type Owner = ToolContext["owner"];

interface Waiting {
  readonly owner: Owner;
  readonly enter: () => void;
}

export class Slots {
  readonly #held: HeldShares;
  readonly #waiting = new FairLine<Waiting>();

  constructor(count: number, shares: Shares = WHOLE) {
    this.#held = new HeldShares(shareLimits(count, shares));
  }

  /** Runs `work` when a slot is free. If `signal` aborts while `work` waits, `work` leaves the line. */
  async run<T>(owner: Owner, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(owner, signal);
    try {
      return await work();
    } finally {
      this.#held.give(owner);
      this.#pump();
    }
  }

  async #take(owner: Owner, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { owner, enter: resolve };
    using _ = addAbortListener(signal, () => {
      // A program that has its slot can no longer give up its place in the line.
      if (this.#waiting.remove(waiting)) reject(signal.reason);
    });
    this.#waiting.add(waiting);
    this.#pump();
    await promise;
  }

  #pump(): void {
    for (;;) {
      const next = this.#waiting.next((owner) => this.#held.reached(owner) === null);
      if (next === null) return;
      this.#held.take(next.owner);
      next.enter();
    }
  }
}
