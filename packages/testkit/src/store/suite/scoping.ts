/** No call reaches another scope: content of another scope is not found, as if it did not exist. */
import type { ConversationKey } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { type Bench, bytesOf, codeOf, collect, type OpenStore, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput, setTitle, TS, Writer } from "./writer.ts";

/** Fills a conversation with one item of every kind; each contains the word `secret`. */
async function fill({ store }: Bench, key: ConversationKey, secret: string) {
  const writer = await Writer.create(store, key);
  writer.timeline.mergeSources([{ url: `https://example.com/${secret}`, text: secret }]);
  const at = { turn: "turn_1", call: "tc_1" };
  const file = make.file(at, { name: "f.md", mime: "text/markdown", text: secret });
  await writer.turn("turn_1", secret, secret, ...file);
  const { ref } = await store.putBlob(key, [new TextEncoder().encode(secret)]);
  await writer.append(appendBlob(writer.timeline.state.nextPosition, ref), setTitle(secret));
  await store.append(key, [receiveInput("same key everywhere", secret)]);
  await store.saveArtifact(key, { kind: "report", payload: secret, content_str: secret });
  await store.appendStream(key, { token: writer.lease.token, stream: "s", offset: 0, text: secret });
  return { writer, ref };
}

export function scopingSuite(open: OpenStore): void {
  describe("scope", () => {
    const bench = useStore(open);

    it("limits every call to its tenant, project, user and conversation", async () => {
      const { store, newKey } = bench();
      const mine = newKey({ tenant: "t1", project: "p1", user: "u1" });
      const theirs: ConversationKey[] = [
        { ...mine, tenant: "t2" },
        { ...mine, project: "p2" },
        { ...mine, user: "u2" },
        { ...mine, conversation: "other" },
      ];
      const { writer, ref } = await fill(bench(), mine, "mysecret");
      for (const [nth, key] of theirs.entries()) {
        // Compares the same calls before and after the conversation exists in the other scope.
        const absent = await Promise.all([
          codeOf(store.load(key)),
          codeOf(store.readBlob(key, ref)),
          codeOf(store.findByPath(key, "ar:turn_1.user.prompt")),
          codeOf(store.exportConversation(key)),
          codeOf(store.deleteConversation(key)),
          codeOf(store.renewLease(key, writer.lease.token, 1_000)),
        ]);
        expect(absent).toEqual(absent.map(() => "not_found"));
        const other = await fill(bench(), key, `theirs${nth}`);
        const everything = JSON.stringify([
          await store.getConversation(key),
          await store.readEvents(key),
          (await store.load(key)).state.pendingInputs.get("same key everywhere")?.message,
          await store.recent(key, { kinds: ["report", "turn.log", "conv.timeline.v1", "conv:sources_pool"] }),
          (await store.turns(key)).items,
          (await store.findByPath(key, "fi:turn_1.files/f.md"))?.artifact,
          (await store.findByPath(key, "so:sources_pool[1]"))?.artifact,
          await store.openStreams(key),
          await store.getArtifact(key, "saved:1").catch(() => null),
        ]);
        expect(everything).not.toContain("mysecret");
        expect(everything).toContain(`theirs${nth}`);
        expect(await codeOf(store.readBlob(key, ref))).toBe("not_found");
        expect(await store.statBlob(key, ref)).toBeNull();
        expect(await codeOf(store.append(key, [appendBlob(99, ref)], { lease: other.writer.expected }))).toMatch(
          /^(blob_missing|bad_event)$/,
        );
        expect(await codeOf(store.append(key, [setTitle("x")], { lease: writer.expected }))).toMatch(
          /^lease_lost$|^conflict$/,
        );
        expect((await store.search(key, "mysecret", { conversation: key.conversation })).items).toEqual([]);
      }
      const lists = await Promise.all(theirs.map((key) => store.listConversations(key)));
      expect(lists.map((page) => page.items.length)).toEqual([1, 1, 1, 2]);
      const hits = await Promise.all(theirs.slice(0, 3).map((key) => store.search(key, "mysecret")));
      expect(hits.map((page) => page.items)).toEqual([[], [], []]);
    });

    it("limits delete, fork, release and renew to its own conversations", async () => {
      const { store, newKey } = bench();
      const mine = newKey({ tenant: "d1" });
      const theirs = { ...mine, tenant: "d2" };
      const { writer } = await fill(bench(), mine, "mine");
      const other = await fill(bench(), theirs, "theirs");
      await store.releaseLease(theirs, writer.lease.token).catch(() => null);
      await other.writer.append(setTitle("the lease is still theirs"));
      await store.fork(mine, 0, "branch");
      expect(await codeOf(store.getConversation({ ...theirs, conversation: "branch" }))).toBe("not_found");
      await store.deleteConversation(mine);
      expect((await store.getConversation(theirs)).title).toBe("the lease is still theirs");
      expect(await store.openStreams(theirs)).toHaveLength(1);
      await store.gc({ graceMs: 0 });
      expect(new TextDecoder().decode(await bytesOf(store.readBlob(theirs, other.ref)))).toBe("theirs");
      await store.applyRetention({ idleMs: 0, scope: { tenant: "d1" } });
      await store.getConversation(theirs);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("is distinct for parts that would give the same string if they were joined or folded", async () => {
      const { store } = bench();
      const scopes: [string, string, string, string][] = [
        ["a", "b", "c", "d"],
        ["a:b", "c", "d", "e"],
        ["a", "b:c", "d", "e"],
        ["a/b", "c", "d", "e"],
        ["a", "b/c", "d", "e"],
        ["a\0b", "c", "d", "e"],
        ["a", "b\0c", "d", "e"],
        ['a","b', "c", "d", "e"],
        ["A", "b", "c", "d"],
        ["a ", "b", "c", "d"],
        ["ä", "b", "c", "d"],
        ["a\u0308", "b", "c", "d"],
        ["%", "b", "c", "d"],
        ["_", "b", "c", "d"],
        ["*", "b", "c", "d"],
        ["..", "..", "..", ".."],
        ["../x", "/", "\\", "."],
        ["__proto__", "constructor", "toString", "hasOwnProperty"],
        ["'; DROP TABLE conversations; --", "b", "c", "d"],
        ["CON", "nul", "COM1", "x."],
        ["🙂".repeat(128), "日本", "c", "d"],
        ["x".repeat(512), "y".repeat(512), "z".repeat(512), "w".repeat(512)],
      ];
      const keys = scopes.map(([tenant, project, user, conversation]) => ({ tenant, project, user, conversation }));
      for (const [nth, key] of keys.entries()) {
        await store.createConversation(key, { events: [setTitle(`title ${nth}`)] });
        await store.putBlob(key, [new TextEncoder().encode(`bytes ${nth}`)]);
      }
      for (const [nth, key] of keys.entries()) {
        expect((await store.getConversation(key)).title).toBe(`title ${nth}`);
        expect((await store.listConversations(key)).items).toHaveLength(1);
      }
    });

    it("is refused if it is invalid, on every kind of call", async () => {
      const { store, newKey } = bench();
      const bad: unknown[] = ["", "\ud800", "x\udfff", "x".repeat(513), "🙂".repeat(129), null, undefined, 7, {}, []];
      for (const part of ["tenant", "project", "user", "conversation"])
        for (const value of bad) {
          const key = { ...newKey(), [part]: value } as ConversationKey;
          expect(await codeOf(store.createConversation(key))).toBe("bad_scope");
          expect(await codeOf(store.load(key))).toBe("bad_scope");
          if (part !== "conversation") expect(await codeOf(store.listConversations(key))).toBe("bad_scope");
          if (part !== "conversation") expect(await codeOf(store.search(key, "x"))).toBe("bad_scope");
        }
    });

    it("limits idempotency keys of inputs to one conversation", async () => {
      const { store, newKey } = bench();
      const [one, two] = [newKey(), newKey()];
      for (const key of [one, two]) {
        await store.createConversation(key);
        const event = makeEvent("cancel.requested", { key: "k", ts: TS });
        expect((await store.append(key, [event])).lastSeq).toBe(1);
      }
    });
  });
}
