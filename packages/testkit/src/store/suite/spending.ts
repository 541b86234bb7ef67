/** The spending of a scope is counted with the receipt, and outlives the conversation. */
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { codeOf, collect, type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput, setTitle, Writer } from "./writer.ts";

const MINUTE = 60_000;

export function spendingSuite(open: OpenStore): void {
  describe("spending", () => {
    const bench = useStore(open);
    let users = 0;
    const newUser = () => ({ tenant: "t", project: "p", user: `spender ${++users}` });

    it("is summed over the conversations of a scope, within a time window, and includes no other scope", async () => {
      const { store, newKey, clock } = bench();
      const scope = newUser();
      const since = clock.now();
      expect(await store.spending(scope, { since })).toEqual({ tokens: 0, dollars: 0 });
      for (const tokens of [100, 20]) {
        const key = newKey(scope);
        const { expected: lease } = await Writer.create(store, key);
        await store.append(key, [setTitle("x")], { lease, spent: { tokens, dollars: 0.25 } });
        clock.tick(2 * MINUTE);
      }
      expect(await store.spending(scope, { since })).toEqual({ tokens: 120, dollars: 0.5 });
      expect(await store.spending(scope, { since: since + 2 * MINUTE })).toEqual({ tokens: 20, dollars: 0.25 });
      expect(await store.spending(scope, { since: clock.now() })).toEqual({ tokens: 0, dollars: 0 });
      expect(await store.spending(scope, { since, until: since + 2 * MINUTE })).toEqual({ tokens: 100, dollars: 0.25 });
      expect(await store.spending(scope, { since, until: since })).toEqual({ tokens: 0, dollars: 0 });
      for (const other of [{ tenant: "t2" }, { project: "p2" }, newUser()])
        expect(await store.spending({ ...scope, ...other }, { since })).toEqual({ tokens: 0, dollars: 0 });
    });

    it("counts each stored batch once, and no other", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey(newUser());
      const since = clock.now();
      const { expected: lease } = await Writer.create(store, key);
      const spent = { tokens: 7, dollars: 1 };
      expect(await codeOf(store.append(key, [receiveInput("a")], { spent }))).toBe("lease_required");
      expect(await codeOf(store.append(key, [setTitle("x")], { lease: { ...lease, expectedSeq: 9 }, spent }))).toBe(
        "conflict",
      );
      for (const wrong of [{ tokens: -1 }, { dollars: Number.NaN }, { tokens: Number.POSITIVE_INFINITY }])
        expect(await codeOf(store.append(key, [setTitle("x")], { lease, spent: { ...spent, ...wrong } }))).toBe(
          "bad_argument",
        );
      expect(await store.spending(key, { since })).toEqual({ tokens: 0, dollars: 0 });
      await store.append(key, [setTitle("x")], { lease, spent });
      expect(await store.spending(key, { since })).toEqual(spent);
    });

    it("is listed minute by minute, and can be copied from another store any number of times", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey(newUser());
      const { tenant, project, user } = key;
      const scope = { tenant, project, user };
      const minute = (at: number) => Math.floor(at / MINUTE) * MINUTE;
      const since = clock.now();
      const { expected: lease } = await Writer.create(store, key);
      await store.append(key, [setTitle("x")], { lease, spent: { tokens: 7, dollars: 1 } });
      await store.deleteConversation(key);
      const own = async () => (await Array.fromAsync(store.spentMinutes())).filter((each) => each.scope.user === user);
      expect(await own()).toEqual([{ scope, at: minute(since), tokens: 7, dollars: 1 }]);
      const [other, unknown] = [since - 5 * MINUTE, newUser()];
      for (let nth = 0; nth < 2; nth++) {
        await store.keepSpentMinutes([
          { scope, at: minute(since), tokens: 9, dollars: 0.5 },
          { scope, at: minute(other), tokens: 1, dollars: 2 },
          { scope: unknown, at: minute(since), tokens: 3, dollars: 3 },
        ]);
        expect(await store.spending(scope, { since })).toEqual({ tokens: 9, dollars: 1 });
        expect(await store.spending(scope, { since: other })).toEqual({ tokens: 10, dollars: 3 });
        expect(await store.spending(unknown, { since })).toEqual({ tokens: 3, dollars: 3 });
      }
      await store.keepSpentMinutes([]);
      for (const wrong of [{ at: Number.NaN }, { tokens: -1 }, { dollars: Number.POSITIVE_INFINITY }])
        expect(await codeOf(store.keepSpentMinutes([{ scope, at: since, tokens: 1, dollars: 1, ...wrong }]))).toBe(
          "bad_argument",
        );
    });

    it("is not reduced by a deletion, and not repeated by a fork or an import", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey(newUser());
      const since = clock.now();
      const { expected: lease } = await Writer.create(store, key);
      const spent = { tokens: 7, dollars: 1 };
      const { lastSeq } = await store.append(key, [makeEvent("model.receipt", { started_at: 1, cost: 1 })], {
        lease,
        spent,
      });
      const file = await collect(store.exportConversation(key));
      await store.fork(key, lastSeq, "fork");
      await store.importConversation({ ...key, conversation: "copy" }, file);
      await store.deleteConversation(key);
      expect(await store.spending(key, { since })).toEqual(spent);
      expect(await codeOf(store.spending(key, { since: Number.NaN }))).toBe("bad_argument");
      expect(await codeOf(store.spending(key, { since, until: Number.NaN }))).toBe("bad_argument");
    });
  });
}
