import type { Scope } from "@cairn/store";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairLine } from "./fair-line.ts";
import { HeldShares, shareLimits } from "./held-shares.ts";

const scope = (tenant: string, user = "u"): Scope => ({ tenant, project: "p", user });
const anyScope = fc
  .record({ tenant: fc.constantFrom("a", "b", "c"), user: fc.constantFrom("u", "v", "w") })
  .map(({ tenant, user }) => scope(tenant, user));

function lineOf(owners: readonly Scope[]) {
  const line = new FairLine<{ readonly owner: Scope; readonly nth: number }>();
  const items = owners.map((owner, nth) => ({ owner, nth }));
  for (const item of items) line.add(item);
  return { line, items };
}

function served<T extends { readonly owner: Scope }>(line: FairLine<T>): T[] {
  const all: T[] = [];
  for (let item = line.next(() => true); item !== null; item = line.next(() => true)) all.push(item);
  return all;
}

describe("a fair line", () => {
  it("serves a tenant's first item after one item of each tenant before it, however many items those have waiting", () => {
    const { line } = lineOf([...Array(208).fill(scope("hostile")), scope("polite"), scope("polite")]);
    expect(
      served(line)
        .slice(0, 4)
        .map(({ owner }) => owner.tenant),
    ).toEqual(["hostile", "polite", "hostile", "polite"]);
  });

  it("serves, between two items of one tenant, at most one of every other tenant, and likewise for its users", () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 60 }), (owners) => {
        const { line } = lineOf(owners);
        const order = served(line);
        expect(order.length).toBe(owners.length);
        checkTurns(order.map(({ owner }) => owner.tenant));
        for (const tenant of ["a", "b", "c"])
          checkTurns(order.filter(({ owner }) => owner.tenant === tenant).map(({ owner }) => owner.user));
      }),
      { numRuns: runs },
    );
  });

  it("serves one user's waiting items in order", () => {
    fc.assert(
      fc.property(fc.array(anyScope, { maxLength: 60 }), (owners) => {
        const { line } = lineOf(owners);
        const last = new Map<string, number>();
        for (const { owner, nth } of served(line)) {
          const name = JSON.stringify(owner);
          expect(nth).toBeGreaterThan(last.get(name) ?? -1);
          last.set(name, nth);
        }
      }),
      { numRuns: runs },
    );
  });

  it("reports how many items come before an item, also after others were served or left", () => {
    fc.assert(
      fc.property(
        fc.array(anyScope, { minLength: 1, maxLength: 40 }),
        fc.nat(20),
        fc.nat(39),
        (owners, taken, left) => {
          const { line, items } = lineOf(owners);
          for (let nth = 0; nth < taken; nth++) line.next(() => true);
          const leaving = items[left];
          if (leaving !== undefined) line.remove(leaving);
          const size = line.size;
          const told = new Map(items.map((item) => [item, line.before(item)]));
          const order = served(line);
          expect(order.length).toBe(size);
          expect(order.map((item) => told.get(item))).toEqual(order.map((_, nth) => nth));
        },
      ),
      { numRuns: runs },
    );
  });

  it("skips owners that are blocked and keeps their place", () => {
    const { line, items } = lineOf([scope("a"), scope("b")]);
    expect(line.next(({ tenant }) => tenant === "b")).toBe(items[1]);
    expect(line.next(({ tenant }) => tenant === "b")).toBeNull();
    expect(line.next(() => true)).toBe(items[0]);
  });
});

describe("held shares", () => {
  it("leave a place for other users and tenants, even if one user or tenant requests very much", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 64 }), fc.array(anyScope, { maxLength: 200 }), (places, owners) => {
        const limits = shareLimits(places, { user: 50, tenant: 75 });
        const held = new HeldShares(limits);
        for (const owner of owners) if (held.reached(owner) === null) held.take(owner);
        expect(held.total).toBeLessThanOrEqual(places);
        const alone = new HeldShares(limits);
        while (alone.reached(scope("a")) === null) alone.take(scope("a"));
        while (alone.reached(scope("a", "v")) === null) alone.take(scope("a", "v"));
        expect(alone.reached(scope("b"))).toBeNull();
      }),
      { numRuns: runs },
    );
  });

  it("name the limit that was reached, and forget released shares", () => {
    const held = new HeldShares(shareLimits(4, { user: 50, tenant: 75 }));
    held.take(scope("a"), 2);
    expect(held.reached(scope("a"))).toEqual({ of: "user", allowed: 2, held: 2 });
    held.take(scope("a", "v"));
    expect(held.reached(scope("a", "v"))).toEqual({ of: "tenant", allowed: 3, held: 3 });
    expect(held.full()).toEqual({ tenants: ["a"], users: ['["a","p","u"]'] });
    held.give(scope("a"), 2);
    expect(held.reached(scope("a"), 2)).toBeNull();
  });
});

/** Between two items of one owner, every other owner that still has items waiting is served exactly once. */
function checkTurns(names: readonly string[]): void {
  names.forEach((name, at) => {
    const again = names.indexOf(name, at + 1);
    if (again < 0) return;
    const between = names.slice(at + 1, again);
    expect(new Set(between).size).toBe(between.length);
    const waiting = new Set(names.slice(again));
    for (const other of waiting) if (other !== name) expect(between).toContain(other);
  });
}
