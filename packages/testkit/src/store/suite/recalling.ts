/** Tests ranked search: which texts some words find, in which order, and what does not change the order. */
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { codeOf, type OpenStore, useStore } from "./opened-store.ts";
import { Writer } from "./writer.ts";

const START = Date.UTC(2026, 0, 1);

export function recallingSuite(open: OpenStore): void {
  describe("ranked search", () => {
    const bench = useStore(open);

    /** A conversation with one turn a minute for each pair of prompt and answer. */
    async function said(tenant: string, ...turns: readonly (readonly [string, string])[]) {
      const { store, newKey } = bench();
      const key = newKey({ tenant });
      const writer = await Writer.create(store, key);
      for (const [nth, [prompt, answer]] of turns.entries()) {
        const id = `turn_${nth + 1}`;
        const ts = new Date(START + nth * 60_000).toISOString();
        writer.timeline.openTurn(id);
        await writer.contribute({ ...make.prompt(id, prompt), ts }, { ...make.completion(id, answer), ts });
        writer.timeline.closeTurn("complete");
        await writer.append(...writer.timeline.takeEvents());
      }
      const excerpts = async (query: string, options = {}) =>
        (await store.search(key, query, options)).items.map(({ excerpt }) => excerpt);
      return { key, writer, excerpts };
    }

    it("scores every word, rare ones higher than common ones", async () => {
      const { excerpts } = await said(
        "rare",
        ["I like the garden.", "The garden is nice."],
        ["I like the zeppelin.", "Which one?"],
        ["I like the kitchen.", "The kitchen is nice."],
        ["I like the attic.", "The attic is nice."],
      );
      expect((await excerpts("what do I like about the zeppelin in the garden?"))[0]).toBe("I like the zeppelin.");
      expect(await excerpts("dirigible")).toEqual([]);
    });

    it("finds other forms of a word, in several languages", async () => {
      const forms = [
        ["She bought two houses.", "buy a house"],
        ["The children were running.", "child runs"],
        ["Wir haben die Rechnungen bezahlt und es war gut.", "Rechnung"],
        ["Nous avons mangé des pommes dans la cuisine.", "pomme"],
        ["Los gatos son muy bonitos y no comen.", "gato bonita"],
        ["Я читал книги.", "книга"],
        ["Kosten: 1,250.50 Euro", "1250.5"],
        ["東京タワーに行きました", "東京"],
        ["서울에서 만나요", "서울"],
      ] as const;
      for (const [nth, [text, query]] of forms.entries()) {
        const { excerpts } = await said(
          `forms ${nth}`,
          ["Filler that has nothing to do with it.", "None."],
          [text, "…"],
        );
        expect([query, (await excerpts(query))[0]]).toEqual([query, text]);
      }
    });

    it("finds identifiers whole and by their parts, and dates however they are written", async () => {
      const { excerpts } = await said(
        "identifiers",
        ["Call getUserName first.", "Done."],
        ["The column is user_email.", "Done."],
        ["We met on 9 February 2026.", "Done."],
        ["Something else altogether.", "Done."],
      );
      expect((await excerpts("get_user_name"))[0]).toBe("Call getUserName first.");
      expect((await excerpts("userEmail"))[0]).toBe("The column is user_email.");
      expect((await excerpts("email"))[0]).toBe("The column is user_email.");
      for (const date of ["2026-02-09", "Feb 9th, 2026", "9.2.2026", "February 2026"])
        expect([date, (await excerpts(date))[0]]).toEqual([date, "We met on 9 February 2026."]);
    });

    it("ranks the neighbours of a match higher, and finds them even without a word of the query", async () => {
      const { excerpts } = await said(
        "neighbours",
        ["Something unrelated.", "Nothing."],
        ["Where did we leave the bicycle?", "At the old station."],
        ["Something different.", "Nothing much."],
      );
      expect((await excerpts("bicycle")).slice(0, 2)).toEqual([
        "Where did we leave the bicycle?",
        "At the old station.",
      ]);
    });

    it("merges near-repeats into the newest, and counts them", async () => {
      const { store } = bench();
      const { key } = await said(
        "repeats",
        ["Please water the plants.", "Noted."],
        ["Please water the plants!", "Noted."],
        ["Please water the 3 plants.", "Noted."],
      );
      const { items } = await store.search(key, "water plants", { types: ["user.prompt"] });
      expect(items.map(({ excerpt, turn_id, repeats }) => [excerpt, turn_id, repeats]).sort()).toEqual([
        ["Please water the 3 plants.", "turn_3", 0],
        ["Please water the plants!", "turn_2", 1],
      ]);
    });

    it("leaves out texts that repeat a hit of an earlier page", async () => {
      const { store } = bench();
      const prompts = [
        "Water the plants.",
        "Feed the plants.",
        "Water the plants!",
        "Move the plants.",
        "Feed the plants!",
      ];
      const { key } = await said("repeats over pages", ...prompts.map((prompt) => [prompt, "Noted."] as const));
      const shown: string[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.search(key, "plants", {
          types: ["user.prompt"],
          limit: 1,
          ...(cursor === undefined ? {} : { cursor }),
        });
        shown.push(...page.items.map(({ excerpt }) => excerpt.slice(0, -1)));
        cursor = page.next;
      }
      expect(shown.sort()).toEqual(["Feed the plants", "Move the plants", "Water the plants"]);
    });

    it("ignores accents and vowel points, and keeps marks that are letters", async () => {
      const { excerpts } = await said(
        "marks",
        ["Ein Café in Ярославль.", "שָׁלוֹם"],
        ["काम", "कम"],
        ["がく", "かく"],
        ["ที่", "ทา"],
        ["مُحَمَّد", "Zoë"],
      );
      for (const [query, found] of [
        ["cafe", "Ein Café in Ярославль."],
        ["שלום", "שָׁלוֹם"],
        ["काम", "काम"],
        ["कम", "कम"],
        ["がく", "がく"],
        ["かく", "かく"],
        ["か\u3099く", "がく"],
        ["ที่", "ที่"],
        ["محمد", "مُحَمَّد"],
        ["zoe", "Zoë"],
      ] as const)
        expect((await excerpts(query))[0]).toBe(found);
    });

    it("can be limited to a conversation, a turn, types and a time range", async () => {
      const { store } = bench();
      const { key, writer } = await said("filters", ["Tea one.", "Tea two."], ["Tea three.", "Tea four."]);
      await writer.contribute(make.notes({ turn: "turn_2", call: "tc_1" }, "tea five"));
      const { conversation } = key;
      const found = async (options: Parameters<typeof store.search>[2]) =>
        (await store.search(key, "tea", options)).items.map(({ excerpt }) => excerpt).sort();
      expect(await found({})).toEqual(["Tea four.", "Tea one.", "Tea three.", "Tea two.", "tea five"]);
      expect(await found({ conversation, turn: "turn_1" })).toEqual(["Tea one.", "Tea two."]);
      expect(await found({ conversation, turn: "turn_2" })).toEqual(["Tea four.", "Tea three.", "tea five"]);
      expect(await found({ types: ["user.prompt", "react.notes"] })).toEqual(["Tea one.", "Tea three.", "tea five"]);
      expect(await found({ until: START + 60_000 })).toEqual(["Tea one.", "Tea two."]);
      expect(await found({ match: "all", until: START + 60_000 })).toEqual(["Tea one.", "Tea two."]);
      expect(await found({ since: START + 60_000 })).toEqual(["Tea four.", "Tea three.", "tea five"]);
      expect(await found({ since: START + 1, until: START + 60_000 })).toEqual([]);
      expect(await codeOf(store.search(key, "tea", { turn: "turn_1" }))).toBe("bad_argument");
    });

    it("compares times by the millisecond, and refuses invalid times and match modes", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "moments" });
      const writer = await Writer.create(store, key);
      for (const [nth, text] of ["Tea one.", "Tea two.", "Tea three."].entries()) {
        const ts = new Date(START + nth * 250).toISOString();
        await writer.contribute({ ...make.prompt(`turn_${nth}`, text), ts });
      }
      const found = async (options: Parameters<typeof store.search>[2]) =>
        (await store.search(key, "tea", options)).items.map(({ excerpt, ts }) => [excerpt, Date.parse(ts) - START]);
      for (const match of ["ranked", "all"] as const) {
        expect((await found({ match, since: START + 250 })).sort()).toEqual([
          ["Tea three.", 500],
          ["Tea two.", 250],
        ]);
        expect(await found({ match, until: START + 250 })).toEqual([["Tea one.", 0]]);
        expect(await found({ match, since: START + 250, until: START + 251 })).toEqual([["Tea two.", 250]]);
      }
      expect(await codeOf(store.search(key, "tea", { since: Number.NaN }))).toBe("bad_argument");
      expect(await codeOf(store.search(key, "tea", { match: "any" as "all" }))).toBe("bad_argument");
    });

    it("returns the same hits in the same order with the same scores, whatever other scopes hold", async () => {
      const { store, newKey } = bench();
      const { key } = await said(
        "alone",
        ["The harbour is foggy today.", "Take the foggy road."],
        ["A harbour without ships.", "Ships come later."],
      );
      const before = (await store.search(key, "foggy harbour ships")).items;
      expect(before.length).toBeGreaterThan(2);
      const other = newKey({ tenant: "another" });
      const writer = await Writer.create(store, other);
      // A million words in all: each turn repeats two of four words 25,000 times.
      const words = ["foggy", "harbour", "ships", "road"].map((word) => `${word} `.repeat(25_000));
      for (let turn = 1; turn <= 20; turn++)
        await writer.turn(`turn_${turn}`, words[turn % 4] ?? "", words[(turn + 1) % 4] ?? "");
      expect((await store.search(other, "foggy")).items.length).toBeGreaterThan(0);
      expect((await store.search(key, "foggy harbour ships")).items).toEqual(before);
    });

    it("finds text added a moment ago, and nothing of a deleted conversation", async () => {
      const { store } = bench();
      const { key, writer } = await said("fresh", ["One walrus.", "Yes."]);
      expect((await store.search(key, "walrus")).items[0]?.excerpt).toBe("One walrus.");
      for (let turn = 2; turn <= 12; turn++) {
        await writer.turn(`turn_${turn}`, `Walrus number ${turn}.`, "Yes.");
        expect((await store.search(key, `number ${turn}`)).items[0]?.excerpt).toBe(`Walrus number ${turn}.`);
      }
      expect(await store.verifyConversation(key)).toEqual([]);
      await store.deleteConversation(key);
      expect((await store.search(key, "walrus")).items).toEqual([]);
      expect(await Array.fromAsync(store.verify())).toEqual([]);
    });

    it("pages through a ranking without leaving anything out", async () => {
      const { store } = bench();
      const turns = Array.from({ length: 12 }, (_, nth) => [`Needle ${nth}.`, `Hay ${nth}.`] as const);
      const { key } = await said("ranked pages", ...turns);
      const all = (await store.search(key, "needle", { limit: 100 })).items;
      const paged: unknown[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await store.search(key, "needle", { limit: 5, ...(cursor === undefined ? {} : { cursor }) });
        paged.push(...page.items);
        cursor = page.next;
      }
      expect(all).toHaveLength(24);
      expect(paged).toEqual(all);
    });

    it("shows the part of a long text that matches best, at the requested length", async () => {
      const { store } = bench();
      const filler = "Nothing to see here, really. ".repeat(300);
      const { key } = await said("long", [
        `${filler}The code is 4711 for the vault. ${filler}The vault. ${filler}`,
        "Ok.",
      ]);
      const [hit] = (await store.search(key, "which code opens the vault", { excerptChars: 100 })).items;
      expect(hit?.excerpt).toContain("The code is 4711 for the vault.");
      expect(hit?.excerpt.length).toBeLessThanOrEqual(100);
      for (const excerptChars of [0, 1.5, 4_001])
        await expect(store.search(key, "x", { excerptChars })).rejects.toMatchObject({
          code: "bad_argument",
          message: expect.stringContaining("excerptChars"),
        });
    });

    it("accepts any string as a query", async () => {
      const { store } = bench();
      const { key } = await said("any query", ["hello", "world"]);
      for (const query of [
        "",
        " ",
        "\0",
        '"',
        "*",
        "\ud800",
        "🙂",
        "\u0001",
        "'; --",
        "hello\u0001",
        "x".repeat(100_000),
      ])
        await store.search(key, query);
      expect((await store.search(key, "🙂")).items).toEqual([]);
      expect((await store.search(key, "hello ".repeat(5_000))).items[0]?.excerpt).toBe("hello");
    });
  });
}
