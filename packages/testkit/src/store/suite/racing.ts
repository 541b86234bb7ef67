import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { bySize } from "../../runs.ts";
import { bytesOf, collect, type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput } from "./writer.ts";

/** More than two copy steps of any back end (500 events each), so that other calls run in between. */
const MANY = bySize({ quick: 1_100, usual: 1_100, long: 2_500 });
/** Milliseconds between two calls that race. */
const PAUSES = [0, 4, 8, 16, 32];

export function racingSuite(open: OpenStore): void {
  describe("calls that race", () => {
    const bench = useStore(open);
    const inputs = (message: string) => Array.from({ length: MANY }, (_, n) => receiveInput(`k${n}`, message));
    const outcomeOf = (call: Promise<unknown>) =>
      call.then(
        () => "done",
        (error) => error.code ?? String(error),
      );

    it("forks one conversation, even if it is deleted and created again meanwhile", { timeout: 300_000 }, async () => {
      const { store, newKey, another } = bench();
      const other = await another();
      for (const pauseMs of bySize({ quick: [0, 8], usual: [0, 8], long: PAUSES })) {
        const [key, target] = [newKey(), newKey()];
        await store.createConversation(key, { events: inputs("old") });
        const fork = outcomeOf(store.fork(key, MANY, target.conversation));
        await new Promise((wake) => setTimeout(wake, pauseMs));
        const deletion = outcomeOf(other.deleteConversation(key));
        await outcomeOf(other.createConversation(key, { events: inputs("new") }));
        const outcome = await fork;
        await deletion;
        expect(["done", "not_found"]).toContain(outcome);
        if (outcome !== "done") continue;
        const events = await store.readEvents(target, { limit: 10_000 });
        const messages = new Set(events.map(({ event }) => (event.body as { message: string }).message));
        expect([events.length, [...messages]]).toEqual([MANY, ["old"]]);
      }
      await other.close();
    });

    it("keeps an acknowledged import and fork, whatever is collected meanwhile", {
      timeout: 300_000,
    }, async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key, { events: inputs("kept") });
      const file = await bytesOf(store.exportConversation(key));
      const sweeper = await another();
      for (let n = 0; n < bySize({ quick: 2, usual: 2, long: 4 }); n++) {
        const [imported, forked] = [newKey(), newKey()];
        let sweeping = true;
        const sweeps = (async () => {
          while (sweeping) {
            await sweeper.gc({ graceMs: 0 });
            await new Promise((wake) => setTimeout(wake, n * 5));
          }
        })();
        const outcomes = [
          await outcomeOf(store.importConversation(imported, [file], { moves: true })),
          await outcomeOf(store.fork(key, MANY, forked.conversation)),
        ];
        sweeping = false;
        await sweeps;
        await sweeper.gc({ graceMs: 0 });
        for (const [nth, copy] of [imported, forked].entries()) {
          // A copy that was garbage-collected before it was finished never existed: the caller gets an error and may
          // retry.
          expect(["done", "busy"]).toContain(outcomes[nth]);
          if (outcomes[nth] === "done") expect((await store.load(copy)).seq).toBe(MANY);
          else expect(await outcomeOf(store.getConversation(copy))).toBe("not_found");
        }
      }
      await sweeper.close();
      expect(await collect(store.verify())).toEqual([]);
    });

    it("keeps appended events, or returns not_found, while the conversation is deleted", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      const other = await another();
      const appends = Array.from({ length: 60 }, (_, n) => outcomeOf(other.append(key, [receiveInput(`k${n}`)])));
      await store.deleteConversation(key);
      await store.createConversation(key, { events: [makeEvent("meta.set", { conversation_title: "anew" })] });
      for (const outcome of await Promise.all(appends)) expect(["done", "not_found"]).toContain(outcome);
      const seqs = (await store.readEvents(key)).map((stored) => stored.seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
      expect(await store.verifyConversation(key)).toEqual([]);
      await other.close();
    });

    it("exports one consistent state, whatever is appended meanwhile", async () => {
      const { store, newKey, another } = bench();
      const [key, copy] = [newKey(), newKey()];
      await store.createConversation(key, { events: inputs("then") });
      const other = await another();
      const pieces: Uint8Array[] = [];
      for await (const piece of store.exportConversation(key)) {
        if (pieces.push(piece) % 500 === 1) await other.append(key, [receiveInput(`late${pieces.length}`)]);
      }
      await store.importConversation(copy, pieces, { moves: true });
      expect((await store.load(copy)).seq).toBe(MANY);
      expect((await store.load(key)).seq).toBeGreaterThan(MANY);
      await other.close();
    });

    it("gives a follower each event of a burst from another handle once, and then the deletion", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      const other = await another();
      const seen: number[] = [];
      const following = outcomeOf(
        (async () => {
          for await (const { seq } of store.follow(key)) seen.push(seq);
        })(),
      );
      for (let n = 0; n < 20; n++)
        await other.append(
          key,
          Array.from({ length: 30 }, (_, m) => receiveInput(`${n} ${m}`)),
        );
      while (seen.length < 600) await new Promise((wake) => setTimeout(wake, 2));
      await other.deleteConversation(key);
      expect(await following).toBe("not_found");
      expect(seen).toEqual(seen.map((_, index) => index + 1));
      await other.close();
    });
  });
}
