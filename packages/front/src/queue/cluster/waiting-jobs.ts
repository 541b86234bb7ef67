/** Number of conversations that wait in the cluster, by user and tenant: the last count, plus later offers here. */
import { HeldShares, type ReachedLimit, type ShareLimits } from "@cairn/agent";
import type { ConversationKey, Scope } from "@cairn/store";
import { namesOf, type WaitingCount } from "./turn-jobs.ts";

export class WaitingJobs {
  readonly #held: HeldShares;

  constructor(counted: readonly WaitingCount[], limits: ShareLimits) {
    this.#held = new HeldShares(limits);
    for (const { tenant, user, jobs } of counted) this.#held.take({ tenant, project: "", user }, jobs);
  }

  get total(): number {
    return this.#held.total;
  }

  reached(key: ConversationKey): ReachedLimit | null {
    return this.#held.reached(ownerOf(key));
  }

  add(key: ConversationKey): void {
    this.#held.take(ownerOf(key));
  }
}

/** The owner, with the names that are used in job keys. */
function ownerOf(key: ConversationKey): Scope {
  const { tenant, user } = namesOf(key);
  return { tenant, project: "", user: `${tenant}${user}` };
}
