/**
 * Counts how much of a limited resource each user and each tenant uses: slots for turns, programs, bytes of uploads,
 * streams. Here, a user means a whole scope (tenant, project and user), as for budgets. No user may hold all that a
 * tenant may hold, and no tenant may hold the whole resource.
 */
import { type Scope, scopeKey } from "@cairn/store";

/** The shares of one user and of one tenant, in percent of a total. */
export interface Shares {
  readonly user: number;
  readonly tenant: number;
}

/** Shares for a program with one user, who may use everything. */
export const WHOLE: Shares = { user: 100, tenant: 100 };

export interface ShareLimits {
  readonly user: number;
  readonly tenant: number;
  /** Maximum that all tenants together may hold at a time. */
  readonly total: number;
}

/** Every user and tenant may hold at least `least`, however small its share is. */
export function shareLimits(total: number, { user, tenant }: Shares, least = 1): ShareLimits {
  const part = (percent: number) => Math.min(total, Math.max(least, Math.floor((total * percent) / 100)));
  return { user: part(user), tenant: part(tenant), total };
}

export interface ReachedLimit {
  readonly of: "user" | "tenant" | "all";
  readonly allowed: number;
  readonly held: number;
}

export class HeldShares {
  readonly #limits: ShareLimits;
  readonly #users = new Map<string, number>();
  readonly #tenants = new Map<string, number>();
  #total = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /** Returns null if the owner may hold this much more, otherwise the limit that is exceeded. */
  reached(owner: Scope, amount = 1): ReachedLimit | null {
    const { user, tenant, total } = this.#limits;
    const levels = [
      { of: "user", allowed: user, held: this.#users.get(scopeKey(scopeOf(owner))) ?? 0 },
      { of: "tenant", allowed: tenant, held: this.#tenants.get(owner.tenant) ?? 0 },
      { of: "all", allowed: total, held: this.#total },
    ] as const;
    return levels.find(({ allowed, held }) => held + amount > allowed) ?? null;
  }

  /** Counts an amount even if it exceeds the limits; callers call `reached` before. */
  take(owner: Scope, amount = 1): void {
    this.#add(owner, amount);
  }

  give(owner: Scope, amount = 1): void {
    this.#add(owner, -amount);
  }

  /** Tenants and users (as `scopeKey`) that have reached their limit. */
  full(): { readonly tenants: readonly string[]; readonly users: readonly string[] } {
    const atLimit = (held: ReadonlyMap<string, number>, limit: number) =>
      [...held].filter(([, amount]) => amount >= limit).map(([name]) => name);
    return { tenants: atLimit(this.#tenants, this.#limits.tenant), users: atLimit(this.#users, this.#limits.user) };
  }

  #add(owner: Scope, amount: number): void {
    this.#total += amount;
    addTo(this.#users, scopeKey(scopeOf(owner)), amount);
    addTo(this.#tenants, owner.tenant, amount);
  }
}

/** The scope of a conversation's key. */
export function scopeOf({ tenant, project, user }: Scope): Scope {
  return { tenant, project, user };
}

function addTo(held: Map<string, number>, name: string, amount: number): void {
  const now = (held.get(name) ?? 0) + amount;
  if (now > 0) held.set(name, now);
  else held.delete(name);
}
