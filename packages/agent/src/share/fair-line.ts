/**
 * A waiting line that serves tenants round-robin, the users of a tenant round-robin, and the items of one user in order
 * of arrival. A new user waits for at most one item of each other user, however many items these have.
 */
import { type Scope, scopeKey } from "@cairn/store";
import { scopeOf } from "./held-shares.ts";

/** Items by user. The first key is the user who is served next. */
type Users<T> = Map<string, T[]>;

export class FairLine<T extends { readonly owner: Scope }> {
  /** Tenants with their users. The first key is the tenant that is served next. */
  readonly #tenants = new Map<string, Users<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T): void {
    const users = this.#tenants.get(item.owner.tenant) ?? new Map<string, T[]>();
    const name = userOf(item);
    const items = users.get(name) ?? [];
    items.push(item);
    users.set(name, items);
    this.#tenants.set(item.owner.tenant, users);
    this.#size++;
  }

  /** Removes and returns the next item whose owner is below its limit; null when there is none. */
  next(mayGo: (owner: Scope) => boolean): T | null {
    for (const users of this.#tenants.values())
      for (const [item] of users.values()) {
        if (item === undefined || !mayGo(item.owner)) continue;
        this.#take(users, item);
        return item;
      }
    return null;
  }

  /** Removes an item, because its owner no longer waits. */
  remove(item: T): boolean {
    const users = this.#tenants.get(item.owner.tenant);
    const items = users?.get(userOf(item));
    const at = items?.indexOf(item) ?? -1;
    if (users === undefined || items === undefined || at < 0) return false;
    items.splice(at, 1);
    this.#size--;
    if (items.length === 0) users.delete(userOf(item));
    if (users.size === 0) this.#tenants.delete(item.owner.tenant);
    return true;
  }

  clear(): void {
    this.#tenants.clear();
    this.#size = 0;
  }

  /** Number of items that are served before this one if no more are added and no owner is at its limit. */
  before(item: T): number {
    const own = this.#tenants.get(item.owner.tenant);
    if (own === undefined) return 0;
    const rounds = beforeIn(
      [...own.entries()].map(([name, { length }]) => ({ name, length })),
      userOf(item),
      own.get(userOf(item))?.indexOf(item) ?? 0,
    );
    const tenants = [...this.#tenants].map(([name, users]) => ({ name, length: sizeOf(users) }));
    return beforeIn(tenants, item.owner.tenant, rounds);
  }

  /** An owner whose item was served goes to the end, as does its tenant. */
  #take(users: Users<T>, item: T): void {
    const name = userOf(item);
    const { tenant } = item.owner;
    const rest = users.get(name)?.slice(1) ?? [];
    users.delete(name);
    if (rest.length > 0) users.set(name, rest);
    this.#tenants.delete(tenant);
    if (users.size > 0) this.#tenants.set(tenant, users);
    this.#size--;
  }
}

/** The number of items that are served before the item at `index` of a list, when the lists are served round-robin. */
function beforeIn(
  lists: readonly { readonly name: string; readonly length: number }[],
  name: string,
  index: number,
): number {
  const own = lists.findIndex((list) => list.name === name);
  return lists.reduce(
    (sum, { length }, at) => sum + (at === own ? index : Math.min(length, at < own ? index + 1 : index)),
    0,
  );
}

function sizeOf<T>(users: Users<T>): number {
  let size = 0;
  for (const items of users.values()) size += items.length;
  return size;
}

function userOf({ owner }: { readonly owner: Scope }): string {
  return scopeKey(scopeOf(owner));
}
