/**
 * Shares out the time of this process between users and tenants. A step is the work that JavaScript does until it waits
 * for something. Only one step runs at a time, so long steps of a tenant delay all others. Each step begins here and is
 * measured, and tenants are served in turn.
 *
 * - Time counts only while several tenants use the process. The first millisecond of a step is free, because a short
 *   step delays nobody. The time of a user with many waiting steps counts up to eight times, so that concurrent work
 *   does not slow down the sequential work of others.
 * - A user whose debt is a tenth of a second of work waits while a tenant with a smaller debt is at work. So the
 *   tenant's work need not wait for that user after each wait for the disk.
 * - A user whose debt is a second of work waits even if the process has no other work, because the next request of
 *   another tenant would have to wait for the end of the user's step.
 */
import { FairLine, scopeOf } from "@cairn/agent";
import { type Scope, scopeKey } from "@cairn/store";
import type { TimeShares } from "cairn-agent/process";

/** A tenant that made a call within this time counts as a user of the process. */
const ACTIVE_MS = 60_000;
/** Maximum debt: with a larger one, a user has to wait. */
const BURST_MS = 1_000;
/** Maximum debt of a user while a tenant with a smaller debt is at work. */
const YIELD_MS = 100;
/** Maximum wait for one step, for any debt. */
const MAX_WAIT_MS = 10_000;
/** Maximum number of a user's waiting steps that increase how much its time counts. */
const COUNTED_WAITING = 7;
/** The part of each step that is not counted, in milliseconds. */
const FREE_MS = 1;
/** A tenant is at work from a step until it has taken none for this long, for example because it waited for the disk. */
const AT_WORK_MS = 30;
/** Interval between two checks of waiting callers. */
const RETRY_MS = 20;

interface Waiting {
  readonly owner: Scope;
  readonly go: () => void;
}

export class Processor implements Disposable {
  readonly #shares: TimeShares;
  readonly #now: () => number;
  readonly #line = new FairLine<Waiting>();
  /** Number of waiting steps of each user. */
  readonly #waiting = new Map<string, number>();
  /** The time of each tenant's last call. */
  readonly #calledAt = new Map<string, number>();
  /** When each tenant at work last began or ended a step. */
  readonly #workedAt = new Map<string, number>();
  /** The time at which the debt will be paid, by user and by tenant. */
  readonly #paidAt = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #isBusy = false;
  #isClosed = false;

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor(shares: TimeShares, now: () => number) {
    this.#shares = shares;
    this.#now = now;
  }

  /** Resolves when the owner may take a step. */
  enter(owner: Scope): Promise<void> {
    const now = this.#now();
    this.#calledAt.delete(owner.tenant);
    this.#calledAt.set(owner.tenant, now);
    this.#workedAt.set(owner.tenant, now);
    if (!this.#isContested(now) || this.#isClosed) return Promise.resolve();
    return new Promise((go) => {
      this.#line.add({ owner, go });
      const name = scopeKey(scopeOf(owner));
      this.#waiting.set(name, (this.#waiting.get(name) ?? 0) + 1);
      this.#serve();
    });
  }

  /** Lets all waiting callers continue at once. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (let waiting = this.#line.next(() => true); waiting !== null; waiting = this.#line.next(() => true))
      waiting.go();
  }

  #isContested(now: number): boolean {
    for (const [tenant, at] of this.#calledAt) {
      if (now - at < ACTIVE_MS) break;
      this.#calledAt.delete(tenant);
    }
    return this.#calledAt.size > 1;
  }

  /**
   * Starts one step, lets the process do other work, and starts the next step. Both callbacks run in the same phase of
   * the event loop, with only the promises of the step between them, so the time between them is that of the step.
   */
  #serve(): void {
    if (this.#isBusy || this.#line.size === 0) return;
    this.#isBusy = true;
    let served: { readonly owner: Scope; readonly began: number; readonly times: number } | null = null;
    setImmediate(() => {
      const began = this.#now();
      const next = this.#line.next((each) => this.#mayGo(each, began));
      if (next === null) return;
      const { owner, go } = next;
      served = { owner, began, times: 1 + Math.min(this.#leave(owner), COUNTED_WAITING) };
      go();
    });
    setImmediate(() => {
      this.#isBusy = false;
      if (served === null) return this.#serveLater();
      const { owner, began, times } = served;
      this.#workedAt.set(owner.tenant, this.#now());
      this.#charge(owner, Math.max(0, this.#now() - began - FREE_MS) * times);
      this.#serve();
    });
  }

  /** No waiting step may run yet, so the check is repeated later. */
  #serveLater(): void {
    if (this.#timer !== null || this.#line.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#serve();
    }, RETRY_MS);
  }

  #mayGo(owner: Scope, now: number): boolean {
    const isWithin = (ms: number) =>
      this.#levels(owner).every(({ name, share }) => this.#owed(name, now) <= ms / share);
    return isWithin(YIELD_MS) || (isWithin(BURST_MS) && !this.#isLighterAtWork(owner.tenant, now));
  }

  #isLighterAtWork(tenant: string, now: number): boolean {
    const own = this.#owed(tenantName(tenant), now);
    for (const [other, at] of this.#workedAt) {
      if (now - at >= AT_WORK_MS) this.#workedAt.delete(other);
      else if (other !== tenant && this.#owed(tenantName(other), now) < own) return true;
    }
    return false;
  }

  /** Milliseconds until the debt is paid. */
  #owed(name: string, now: number): number {
    return (this.#paidAt.get(name) ?? now) - now;
  }

  /** Removes one waiting step of the owner; returns how many steps of the owner still wait. */
  #leave(owner: Scope): number {
    const user = scopeKey(scopeOf(owner));
    const left = (this.#waiting.get(user) ?? 1) - 1;
    if (left === 0) this.#waiting.delete(user);
    else this.#waiting.set(user, left);
    return left;
  }

  #charge(owner: Scope, ms: number): void {
    const now = this.#now();
    for (const { name, share } of this.#levels(owner)) {
      const paid = Math.max(now, this.#paidAt.get(name) ?? now) + ms / share;
      this.#paidAt.delete(name);
      this.#paidAt.set(name, Math.min(paid, now + BURST_MS / share + MAX_WAIT_MS));
    }
    for (const [name, at] of this.#paidAt) {
      if (at > now) break;
      this.#paidAt.delete(name);
    }
  }

  #levels(owner: Scope) {
    return [
      { name: scopeKey(scopeOf(owner)), share: this.#shares.user },
      { name: tenantName(owner.tenant), share: this.#shares.tenant },
    ];
  }
}

function tenantName(tenant: string): string {
  return `tenant ${tenant}`;
}
