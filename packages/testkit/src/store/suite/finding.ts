/** Search by path and by words: hits, order and pages. */
import { makeEvent, resolveArtifact, turnArtifacts } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { codeOf, type OpenStore, useStore } from "./opened-store.ts";
import { Writer } from "./writer.ts";

export function findingSuite(open: OpenStore): void {
  describe("finding by path", () => {
    const bench = useStore(open);

    it("finds every version in any spelling, also before a compaction, as the engine resolves it", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const at = (call: string) => ({ turn: "turn_1", call });
      const write = (call: string, text: string) => [
        make.call(at(call), "react.write", { path: "a b.md" }),
        ...make.file(at(call), { name: "a b.md", mime: "text/markdown", text, extra: { sources_used: [1] } }),
      ];
      writer.timeline.mergeSources([{ url: "https://example.com/" }]);
      await writer.turn("turn_1", "hi", "done", ...write("tc_1", "one"), ...write("tc_2", "two"));
      const path = "fi:turn_1.files/a b.md";
      const before = resolveArtifact(writer.timeline.state, path);
      const { nextPosition: position } = writer.timeline.state;
      const summary = {
        type: "conv.range.summary",
        turn_id: "turn_1",
        path: "su:turn_1.conv.range.summary",
        text: "s",
      };
      await writer.append(
        makeEvent("compaction.committed", { cut: position, position, summary, tokens: 1, version: 1 }),
      );
      const found = await store.findByPath(key, path);
      expect(found).toMatchObject({ path, version: 2, latestVersion: 2 });
      expect(found?.artifact).toEqual(before);
      expect(resolveArtifact(found?.state ?? writer.timeline.state, path)).toEqual(before);
      expect(found?.blocks.some((each) => each.block.text === "two" && each.version === 2 && each.seq > 0)).toBe(true);
      const first = await store.findByPath(key, `${path}@v1`);
      expect(first?.artifact).toMatchObject({ text: "one", version: 1, sources_used: [1], hidden: false });
      expect(first?.latestVersion).toBe(2);
      expect(await store.findByPath(key, `${path}@v3`)).toBeNull();
      const call = await store.findByPath(key, "tc:turn_1.tool_calls.tc_1.in.json");
      expect(call?.artifact).toMatchObject({ path: "tc:turn_1.tc_1.call" });
      expect((await store.findByPath(key, "ar:turn_1.user.prompt"))?.artifact.text).toBe("hi");
      expect((await store.findByPath(key, "su:turn_1.conv.range.summary"))?.artifact.text).toBe("s");
    });

    it("counts a source as cited only if it existed before the text, also before a snapshot", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const find = (n: number) => writer.timeline.mergeSources([{ url: `https://example.com/${n}` }]);
      const citations = async () =>
        (await store.turns(key)).items.map(({ view }) => view.citations.map(({ sid }) => sid));
      find(1);
      await writer.turn("turn_1", "hi", "See [[S:1]] and [[S:2]].");
      find(2);
      await writer.turn("turn_2", "hi", "See [[S:1-3]].");
      find(3);
      for (let n = 3; n <= 40; n++) await writer.turn(`turn_${n}`, "hi", "Nothing.");
      expect((await citations()).slice(0, 3)).toEqual([[1], [1, 2], []]);
      const { state } = await store.load(key);
      const shown = ["turn_1", "turn_2"].map((turn) => turnArtifacts(state, turn)?.citations.map(({ sid }) => sid));
      expect(shown).toEqual([[1], [1, 2]]);
      const page = await store.readTurns(key, { before: 3, limit: 1 });
      expect(page.highest_sid).toBe(2);
    });

    it("finds rows of the pool", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      writer.timeline.mergeSources([
        { url: "https://example.com/1", text: "one" },
        { url: "https://example.com/2", text: "two" },
      ]);
      await writer.turn("turn_1", "hi", "done");
      const found = await store.findByPath(key, "so:sources_pool[ 2, 1 ]");
      expect(found?.artifact).toEqual(resolveArtifact(writer.timeline.state, "so:sources_pool[1-2]"));
      expect(await store.findByPath(key, "so:sources_pool[9]")).toBeNull();
    });

    it("finds paths with any name a file can have", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const names = [
        "ü.md",
        "u\u0308.md",
        "日本/語.md",
        "a%b_c.md",
        'it\'s "q".md',
        "x".repeat(2_000),
        "🙂",
        "a..b",
        "A.md",
        "a.md",
      ];
      const blocks = names.flatMap((name, n) =>
        make.file({ turn: "turn_1", call: `tc_${n}` }, { name, mime: "text/plain", text: `content ${n}` }),
      );
      await writer.turn("turn_1", "hi", "done", ...blocks);
      for (const [n, name] of names.entries())
        expect((await store.findByPath(key, `fi:turn_1.files/${name}`))?.artifact.text).toBe(`content ${n}`);
    });

    it("returns null for a path that was never used, and refuses an invalid path or one that leaves the workspace", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      expect(await store.findByPath(key, "fi:turn_1.files/none.md")).toBeNull();
      expect(await store.findByPath(key, "ar:turn_1.user.prompt@v2")).toBeNull();
      expect(await codeOf(store.findByPath(key, "fi:turn_1.files/../../x"))).toBe("unsafe_path");
      for (const path of ["", "nonsense:", "zz:turn_1"])
        expect(await codeOf(store.findByPath(key, path))).toBe("bad_path");
    });
  });

  describe("listing texts that contain every word", () => {
    const bench = useStore(open);

    it("finds prompts, completions, notes, summaries and file text, the newest first", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey({ tenant: "search" });
      const writer = await Writer.create(store, key);
      const at = { turn: "turn_1", call: "tc_1" };
      await writer.turn(
        "turn_1",
        "Where do Zebras sleep?",
        "Zebras sleep standing.",
        make.notes(at, "look up zebras"),
        make.call(at, "web_tools.web_search", { queries: ["zebras in a parameter are not found"] }),
        ...make.file(at, { name: "z.md", mime: "text/markdown", text: "# Zebras\nstripes" }),
      );
      clock.tick(10);
      await writer.contribute({ type: "react.note", turn_id: "turn_1", text: "[P] likes zebras" });
      const { items } = await store.search(key, "zebras", { match: "all" });
      expect(items.map((hit) => hit.type)).toEqual([
        "react.note",
        "assistant.completion",
        "react.tool.result",
        "react.notes",
        "user.prompt",
      ]);
      const prompt = items.at(-1);
      expect(prompt).toMatchObject({
        conversation: key.conversation,
        turn_id: "turn_1",
        path: "ar:turn_1.user.prompt",
      });
      expect(prompt?.excerpt).toContain("Zebras");
      const [event] = await store.readEvents(key, { after: (prompt?.seq ?? 0) - 1, limit: 1 });
      expect(event?.event.body).toMatchObject({ position: prompt?.position });
    });

    it("needs every word, in any order, without case and accents; the last may be a prefix", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "words" });
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", "Über den Café-Besuch 2026", "La naïveté d'Éloïse");
      const count = async (query: string) => (await store.search(key, query, { match: "all" })).items.length;
      for (const query of ["uber cafe", "CAFÉ über", "besuch 2026", "bes", "über b", "naivete", "ELOISE", "2026"])
        expect([query, await count(query)]).toEqual([query, 1]);
      for (const query of ["ub cafe", "besucher", "fé", "cafe missing", "esuch"])
        expect([query, await count(query)]).toEqual([query, 0]);
    });

    it("finds a character however it is spelled: composed or not, wide, as a ligature", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "spellings" });
      const writer = await Writer.create(store, key);
      const words = ["한국어", "がぎぐ", "naïve", "ＡＢＣ", "ﬁnance", "Ⅷ", "½", "Ångström", "हिन्दी", "𞤀𞤣𞤤𞤢𞤥"];
      for (const [n, word] of words.entries()) await writer.turn(`turn_${n}`, `${word} ${n}`, word.normalize("NFD"));
      for (const word of words)
        for (const form of ["NFC", "NFD", "NFKC", "NFKD"]) {
          const hits = (await store.search(key, word.normalize(form), { match: "all" })).items;
          expect([word, form, hits.length]).toEqual([word, form, 2]);
        }
    });

    it("accepts any string as a query", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "queries" });
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", 'and or not near "quoted" a:b c*d', "x");
      const none = [
        "",
        " ",
        "\0",
        '"',
        "*",
        "()",
        "^",
        "-",
        "\ud800",
        "🙂",
        ":",
        "'; DROP TABLE events; --zz",
        "%",
        "...",
      ];
      for (const query of none)
        expect([query, (await store.search(key, query, { match: "all" })).items]).toEqual([query, []]);
      const some = [
        "and",
        "OR",
        "NOT near",
        '"quoted',
        "quoted)",
        "NEAR(and",
        "a:b",
        "c*d",
        "a -b",
        "{and}",
        "and\0or",
      ];
      for (const query of some)
        expect([query, (await store.search(key, query, { match: "all" })).items.length]).toEqual([query, 1]);
      expect((await store.search(key, "and ".repeat(5_000), { match: "all" })).items).toHaveLength(1);
      expect((await store.search(key, "x".repeat(100_000), { match: "all" })).items).toEqual([]);
    });

    it("pages through every hit once, in one conversation or all of the scope", async () => {
      const { store, newKey, clock } = bench();
      const scope = { tenant: "pages", project: "p", user: "u" };
      const [one, two] = [newKey(scope), newKey(scope)];
      for (const key of [one, two]) {
        const writer = await Writer.create(store, key);
        for (let n = 1; n <= 6; n++) {
          clock.tick();
          await writer.turn(`turn_${n}`, `needle ${n}`, "hay");
        }
      }
      const all = async (conversation?: string) => {
        const hits: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await store.search(scope, "needle", {
            limit: 5,
            match: "all",
            ...(cursor === undefined ? {} : { cursor }),
            ...(conversation === undefined ? {} : { conversation }),
          });
          hits.push(...page.items.map((hit) => `${hit.conversation} ${hit.turn_id}`));
          cursor = page.next ?? undefined;
        } while (cursor !== undefined);
        return hits;
      };
      const expected = [two, one].flatMap((key) => [6, 5, 4, 3, 2, 1].map((n) => `${key.conversation} turn_${n}`));
      expect(await all()).toEqual(expected);
      expect(await all(one.conversation)).toEqual(expected.slice(6));
      expect(await codeOf(all("none such"))).toBe("not_found");
      for (const limit of [0, 1_001])
        expect(await codeOf(store.search(scope, "needle", { limit }))).toBe("bad_argument");
    });

    it("cuts excerpts to 240 characters around the match", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "excerpts" });
      const writer = await Writer.create(store, key);
      const filler = "blah 🙂 ".repeat(5_000);
      await writer.turn("turn_1", `${filler}needle${filler}`, "x");
      const [hit] = (await store.search(key, "needle", { match: "all" })).items;
      expect(hit?.excerpt).toContain("needle");
      expect([...(hit?.excerpt ?? "")].length).toBeLessThanOrEqual(240);
    });

    it("finds each block of a million-character text by its words", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "million" });
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", `${"word ".repeat(200_000)}needle`, "x");
      expect((await store.search(key, "needle", { match: "all" })).items).toHaveLength(1);
    });
  });
}
