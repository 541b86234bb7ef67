/** Deleted data is gone: from every read, and, after `gc`, from the store. */
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { codeOf, collect, type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput, setTitle, Writer } from "./writer.ts";

export function deletingSuite(open: OpenStore): void {
  describe("a tenant that is deleted", () => {
    const bench = useStore(open);

    it("loses all its conversations and its spending, and other tenants keep theirs", async () => {
      const { store, newKey } = bench();
      const [gone, alsoGone, stays] = [
        newKey({ tenant: "leaves" }),
        newKey({ tenant: "leaves", user: "other" }),
        newKey({ tenant: "stays" }),
      ];
      for (const key of [gone, alsoGone, stays]) {
        const writer = await Writer.create(store, key);
        await writer.turn("turn_1", "wombat", "answer");
        await store.append(key, [receiveInput("waits")]);
        const options = { lease: { token: writer.lease.token, expectedSeq: writer.lastSeq - 1 } };
        await store
          .append(key, [setTitle("x")], { ...options, spent: { tokens: 5, dollars: 1 } })
          .catch(() => undefined);
      }
      expect(await store.deleteTenant("leaves")).toBe(2);
      expect(await store.deleteTenant("leaves")).toBe(0);
      for (const key of [gone, alsoGone]) expect(await codeOf(store.getConversation(key))).toBe("not_found");
      expect((await store.getConversation(stays)).turns).toBe(1);
      const spent = await collect(store.spentMinutes());
      expect(spent.map(({ scope }) => scope.tenant)).not.toContain("leaves");
      expect((await collect(store.conversations())).map(({ tenant }) => tenant)).not.toContain("leaves");
      expect(await collect(store.verify())).toEqual([]);
      await store.createConversation(gone, { events: [makeEvent("meta.set", { conversation_title: "again" })] });
      expect((await store.getConversation(gone)).title).toBe("again");
    });
  });
}
