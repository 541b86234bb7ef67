/**
 * Limits the requests a second of each user and each tenant. The requests of three seconds may come at once; later ones
 * must keep the rate. The server stores one number for each user and tenant with a request in the last seconds.
 */
import { type ReachedLimit, scopeOf } from "@cairn/agent";
import { type Scope, scopeKey } from "@cairn/store";
import type { ScopeLimits } from "cairn-agent/process";
import { overShare } from "cairn-agent/turns";

const BURST_MS = 3_000;
const BYTES_OF_REQUEST = 1_000_000;
const FORGET_EVERY_MS = 60_000;

export class RequestRate {
  readonly #limits: ScopeLimits["requests"];
  readonly #now: () => number;
  /** When the requests so far comply with the rate, by user and tenant. Without recent requests, that time is over. */
  readonly #paidAt = new Map<string, number>();
  #forgotAt = 0;

  /** `now`: milliseconds of a clock that only goes forward. */
  constructor(limits: ScopeLimits["requests"], now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Whether requests are limited. There is no limit if all callers are the same user. */
  get isLimited(): boolean {
    return Number.isFinite(this.#limits.user);
  }

  /** Counts a request. Throws `over_share`, which states when the next one is allowed; a refused one does not count. */
  note(owner: Scope): void {
    const now = this.#now();
    this.#forget(now);
    const levels = this.#levels(owner);
    for (const { of, name, allowed } of levels) {
      const early = this.#paid(name, now) + 1_000 / allowed - now - BURST_MS;
      if (early > 0) throw overShare("requests", reached(of, allowed), Math.ceil(early / 1_000));
    }
    for (const { name, allowed } of levels) this.#paidAt.set(name, this.#paid(name, now) + 1_000 / allowed);
  }

  /** Counts bytes of bodies as requests: each megabyte costs about as much as one. */
  noteBytes(owner: Scope, bytes: number): void {
    const now = this.#now();
    for (const { name, allowed } of this.#levels(owner))
      this.#paidAt.set(name, this.#paid(name, now) + (1_000 / allowed) * (bytes / BYTES_OF_REQUEST));
  }

  #levels(owner: Scope) {
    return [
      { of: "user", name: scopeKey(scopeOf(owner)), allowed: this.#limits.user },
      { of: "tenant", name: `tenant ${owner.tenant}`, allowed: this.#limits.tenant },
    ] as const;
  }

  #paid(name: string, now: number): number {
    return Math.max(now, this.#paidAt.get(name) ?? now);
  }

  #forget(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const [name, at] of this.#paidAt) if (at <= now) this.#paidAt.delete(name);
  }
}

function reached(of: ReachedLimit["of"], allowed: number): ReachedLimit {
  return { of, allowed, held: allowed };
}
