/** The stored bytes of users and tenants are counted, so that they can be limited. */
import { describe, expect, it } from "vitest";
import { type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput } from "./writer.ts";

export function storingSuite(open: OpenStore): void {
  describe("stored bytes", () => {
    const bench = useStore(open);
    const ada = { tenant: "keeps", project: "p", user: "ada" };
    const bob = { ...ada, user: "bob" };

    it("are the text of a user's conversations and its files, each counted once, and are released with the conversations", async () => {
      const { store, newKey } = bench();
      const [one, two, other] = [newKey(ada), newKey(ada), newKey(bob)];
      for (const key of [one, two, other]) await store.createConversation(key);
      expect(await store.storedBytes(ada)).toEqual({ user: 0, tenant: 0 });
      await store.append(one, [receiveInput("a")]);
      const text = (await store.storedBytes(ada)).user;
      expect(text).toBeGreaterThan(20);
      await store.append(two, [receiveInput("a")]);
      expect(await store.storedBytes(ada)).toEqual({ user: 2 * text, tenant: 2 * text });
      for (const key of [one, two, other]) await store.putBlob(key, [new Uint8Array(1_000).fill(7)]);
      await store.putBlob(other, [new Uint8Array(500)]);
      expect(await store.storedBytes(ada)).toEqual({ user: 2 * text + 1_000, tenant: 2 * text + 1_500 });
      expect(await store.storedBytes(bob)).toEqual({ user: 1_500, tenant: 2 * text + 1_500 });
      expect(await store.storedBytes({ ...ada, tenant: "keeps nothing" })).toEqual({ user: 0, tenant: 0 });
      for (const key of [one, two, other]) await store.deleteConversation(key);
      // Files of the tenant are on the disk until they are collected.
      expect(await store.storedBytes(bob)).toEqual({ user: 0, tenant: 1_500 });
      await store.gc({ graceMs: 0 });
      expect(await store.storedBytes(bob)).toEqual({ user: 0, tenant: 0 });
    });

    it("of one conversation are those of its events, with the events that a branch shares", async () => {
      const { store, newKey } = bench();
      const key = newKey({ ...ada, tenant: "one" });
      await store.createConversation(key);
      expect(await store.storedChars(key)).toBe(0);
      await store.append(key, [receiveInput("a")]);
      const { user: text } = await store.storedBytes(key);
      await store.branch(key, 1, "branch");
      expect(await store.storedChars(key)).toBe(text);
      expect(await store.storedChars({ ...key, conversation: "branch" })).toBeGreaterThanOrEqual(text);
      await expect(store.storedChars({ ...key, conversation: "none" })).rejects.toMatchObject({ code: "not_found" });
    });

    it("include forks and imports", async () => {
      const { store, newKey } = bench();
      const key = newKey({ ...ada, tenant: "copies" });
      await store.createConversation(key);
      await store.append(key, [receiveInput("a")]);
      const { user } = await store.storedBytes(key);
      const file = await Array.fromAsync(store.exportConversation(key));
      await store.fork(key, 1, "fork");
      expect((await store.storedBytes(key)).user).toBe(2 * user);
      await store.importConversation({ ...key, conversation: "import" }, file, { moves: true });
      expect((await store.storedBytes(key)).user).toBe(3 * user);
    });
  });
}
