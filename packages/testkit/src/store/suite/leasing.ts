/** One writer at a time: the token decides, and the clock only says when another process may take the lease. */
import { describe, expect, it } from "vitest";
import { codeOf, ManualClock, type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput, setTitle, Writer } from "./writer.ts";

export function leasingSuite(open: OpenStore): void {
  describe("leases", () => {
    const bench = useStore(open);

    it("are granted one at a time, also for the same holder, with the expiry time", async () => {
      const { store, newKey, clock, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      const lease = await store.acquireLease(key, "a", 5_000);
      expect(lease).toMatchObject({ holder: "a", expires_at: clock.now() + 5_000, last_timeline_seq: 0 });
      const other = await another();
      for (const holder of ["a", "b"]) {
        const refused = store.acquireLease(key, holder, 5_000);
        await expect(refused).rejects.toMatchObject({ code: "lease_held", details: { expires_at: lease.expires_at } });
        expect(await codeOf(other.acquireLease(key, holder, 5_000))).toBe("lease_held");
      }
      await other.close();
    });

    it("that expired are granted to the next holder, with a greater token and the writer's position", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const first = await Writer.create(store, key);
      const { lastTimelineSeq } = await first.append(setTitle("a"));
      clock.tick(3_600_000);
      const next = await store.acquireLease(key, "b", 1_000);
      expect(next.token).toBeGreaterThan(first.lease.token);
      expect(next.last_timeline_seq).toBe(lastTimelineSeq);
    });

    it("fence out a writer whose lease another holder took", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const stale = await Writer.create(store, key);
      clock.tick(3_600_001);
      const lease = await store.acquireLease(key, "b", 1_000);
      const { token } = stale.lease;
      expect(await codeOf(stale.append(setTitle("stale")))).toBe("lease_lost");
      expect(await codeOf(store.renewLease(key, token, 1_000))).toBe("lease_lost");
      expect(await codeOf(store.appendStream(key, { token, stream: "s", offset: 0, text: "x" }))).toBe("lease_lost");
      expect(await codeOf(store.dropStream(key, { token, stream: "s" }))).toBe("lease_lost");
      await store.releaseLease(key, token);
      expect(await codeOf(store.acquireLease(key, "c", 1_000))).toBe("lease_held");
      await store.append(key, [setTitle("b")], { lease: { token: lease.token, expectedSeq: 0 } });
      expect((await store.readEvents(key)).map((each) => each.event.body)).toEqual([{ conversation_title: "b" }]);
    });

    it("let a holder continue after expiry until another holder takes over", async () => {
      const { store, newKey, clock } = bench();
      const writer = await Writer.create(store, newKey());
      clock.tick(4_000_000);
      expect((await writer.append(setTitle("late, and still the only one"))).seqs).toEqual([1]);
    });

    it("are extended from the time of renewal, also when it is late", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      await store.createConversation(key);
      const { token } = await store.acquireLease(key, "a", 1_000);
      clock.tick(900);
      expect((await store.renewLease(key, token, 1_000)).expires_at).toBe(clock.now() + 1_000);
      clock.tick(5_000);
      const late = await store.renewLease(key, token, 2_000);
      expect(late).toEqual({ token, holder: "a", expires_at: clock.now() + 2_000, last_timeline_seq: 0 });
      expect(await codeOf(store.acquireLease(key, "b", 1_000))).toBe("lease_held");
    });

    it("free the conversation on release; the released token becomes invalid", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await store.releaseLease(key, writer.lease.token);
      expect(await codeOf(writer.append(setTitle("x")))).toBe("lease_lost");
      expect(await codeOf(store.renewLease(key, writer.lease.token, 1_000))).toBe("lease_lost");
      await store.releaseLease(key, writer.lease.token);
      const next = await store.acquireLease(key, "b", 1_000);
      expect(next.token).toBeGreaterThan(writer.lease.token);
    });

    it("have tokens that are valid for one conversation only", async () => {
      const { store, newKey } = bench();
      const [one, two] = [newKey(), newKey()];
      const first = await Writer.create(store, one);
      const second = await Writer.create(store, two);
      const crossed = { lease: { token: first.lease.token, expectedSeq: 0 } };
      if (first.lease.token !== second.lease.token)
        expect(await codeOf(store.append(two, [setTitle("x")], crossed))).toBe("lease_lost");
      await store.releaseLease(one, first.lease.token);
      await second.append(setTitle("still mine"));
    });

    it("refuse invalid times to live, tokens and holders", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      for (const ttl of [0, -1, 86_400_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(await codeOf(store.acquireLease(key, "a", ttl))).toBe("bad_argument");
      const { token } = await store.acquireLease(key, "a", 86_400_000);
      for (const ttl of [0, 86_400_001]) expect(await codeOf(store.renewLease(key, token, ttl))).toBe("bad_argument");
      for (const wrong of [0, -1, 1.5, Number.NaN, Number.MAX_SAFE_INTEGER])
        expect(["lease_lost", "bad_argument"]).toContain(await codeOf(store.renewLease(key, wrong, 1_000)));
    });

    it("never have two writers, even if two clocks disagree", async () => {
      const { store, newKey, clock, another } = bench();
      const key = newKey();
      const ahead = new ManualClock();
      ahead.tick(clock.now() - ahead.now() + 10 * 86_400_000);
      const impatient = await another(ahead);
      const behind = await Writer.create(store, key);
      await behind.append(setTitle("before"));
      // For a clock ten days ahead the lease expired long ago: it may take over, and from then on the token decides.
      const lease = await impatient.acquireLease(key, "ahead", 1_000);
      expect(await codeOf(behind.append(setTitle("after the takeover")))).toBe("lease_lost");
      await impatient.append(key, [setTitle("ahead")], { lease: { token: lease.token, expectedSeq: 1 } });
      // By the other clock this lease has ten days left, which is impossible for a lease of a second: it may be taken
      // as well.
      const { token } = await store.acquireLease(key, "behind again", 1_000);
      const late = { lease: { token: lease.token, expectedSeq: 2 } };
      expect(await codeOf(impatient.append(key, [setTitle("fenced")], late))).toBe("lease_lost");
      await store.append(key, [setTitle("behind")], { lease: { token, expectedSeq: 2 } });
      await impatient.close();
      expect((await store.readEvents(key)).map((each) => each.event.body)).toEqual([
        { conversation_title: "before" },
        { conversation_title: "ahead" },
        { conversation_title: "behind" },
      ]);
    });

    it("block nobody for longer than twice their length when the clock is set back", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      await store.createConversation(key);
      await store.acquireLease(key, "a", 10_000);
      // The clock is set back by a few seconds, which must change nothing.
      clock.tick(-5_000);
      expect(await codeOf(store.acquireLease(key, "b", 10_000))).toBe("lease_held");
      clock.tick(-3_600_000);
      const taken = await store.acquireLease(key, "b", 10_000);
      expect(taken.expires_at).toBe(clock.now() + 10_000);
      expect(await codeOf(store.acquireLease(key, "c", 10_000))).toBe("lease_held");
      clock.tick(3_605_000);
    });

    it("are granted to one of many simultaneous callers", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const asked = Array.from({ length: 20 }, (_, n) => store.acquireLease(key, `h${n}`, 1_000));
      const settled = await Promise.allSettled(asked);
      expect(settled.filter((each) => each.status === "fulfilled")).toHaveLength(1);
      const refused = settled.filter((each) => each.status === "rejected");
      expect(refused.map((each) => each.reason.code)).toEqual(refused.map(() => "lease_held"));
    });

    it("are not needed to read or to add inputs", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await Writer.create(store, key);
      await store.append(key, [receiveInput("k")]);
      expect((await store.load(key)).seq).toBe(1);
    });
  });
}
