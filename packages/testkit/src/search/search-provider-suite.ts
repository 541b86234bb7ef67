/** The conformance suite of `SearchProvider`. */

import type { SearchProvider } from "@cairn/tools/web";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyCharacter } from "../any-character.ts";
import { runs } from "../runs.ts";
import { SEARCHED_DOCUMENTS, type SearchedDocument } from "./searched-document.ts";

export interface OpenedSearch {
  readonly provider: SearchProvider;
  /** Returns the document to which an address belongs. */
  readonly nameOf: (url: string) => string;
  dispose(): Promise<void>;
}

/** `open` returns a provider that searches exactly the documents. */
export function searchProviderSuite(
  name: string,
  open: (documents: readonly SearchedDocument[]) => Promise<OpenedSearch>,
): void {
  describe(`${name} keeps the contract of a search provider`, () => {
    let opened: OpenedSearch | null = null;
    const signal = new AbortController().signal;
    const get = (): OpenedSearch => {
      if (opened === null) throw new Error("The provider is not open yet.");
      return opened;
    };
    const search = (query: string, n = 10) => get().provider.search({ query, n }, { signal });
    const names = async (query: string, n = 10) => (await search(query, n)).hits.map(({ url }) => get().nameOf(url));
    beforeAll(async () => {
      opened = await open(SEARCHED_DOCUMENTS);
    }, 60_000);
    afterAll(async () => opened?.dispose());

    it("finds pages that contain the words, best first", async () => {
      const found = await names("cairn stones trail");
      expect(found[0]).toBe("cairns");
      expect(found).toContain("trails");
      expect(found).not.toContain("bread");
    });

    it("finds words with non-ASCII letters", async () => {
      expect(await names("Leuchtturm Büsum")).toEqual(["harbours"]);
      expect(await names("灯台は海岸に")).toEqual(["harbours"]);
    });

    it("returns at most the requested number of hits, the best of them", async () => {
      expect(await names("cairn trail mark", 1)).toEqual((await names("cairn trail mark")).slice(0, 1));
    });

    it("returns an absolute address for every hit, and a title and a text without markup", async () => {
      const { hits } = await search("sourdough bread flour cairn");
      expect(hits.length).toBeGreaterThan(1);
      for (const { url, title, text } of hits) {
        expect(URL.canParse(url)).toBe(true);
        expect(title).not.toBe("");
        expect(`${title}${text}`).not.toMatch(/<\/?strong>|&amp;|&lt;/);
      }
      const bread = hits.find(({ url }) => get().nameOf(url) === "bread");
      expect(bread).toMatchObject({ title: "Rye bread & sourdough", text: expect.stringContaining("hot & dark") });
    });

    it("returns no hits when nothing matches", async () => {
      expect((await search("zzyzx qwertzuiop")).hits).toEqual([]);
    });

    it("leaves out pages older than requested", async () => {
      const fresh = async (freshness: "day" | "week" | "month" | "year") => {
        const query = "cairn lighthouse trails bread Leuchtturm";
        const { hits } = await get().provider.search({ query, n: 10, freshness }, { signal });
        return hits.map(({ url }) => get().nameOf(url)).sort();
      };
      expect(await fresh("day")).toEqual(["cairns"]);
      expect(await fresh("week")).toEqual(["cairns", "lighthouses"]);
      expect(await fresh("month")).toEqual(["cairns", "lighthouses", "trails"]);
      expect(await fresh("year")).toEqual(["bread", "cairns", "lighthouses", "trails"]);
    });

    it("accepts any text as a query", async () => {
      const operators = fc.constantFrom(
        '"',
        "NEAR(",
        "AND OR NOT",
        "a*",
        "col:x",
        "-",
        "'; DROP TABLE files; --",
        "%",
        "\0",
      );
      const query = fc.oneof(
        fc.string({ unit: anyCharacter, minLength: 1, maxLength: 80 }),
        operators,
        fc.string({ minLength: 500, maxLength: 3_000 }),
      );
      await fc.assert(
        fc.asyncProperty(query, fc.integer({ min: 1, max: 30 }), async (text, n) => {
          const { hits } = await search(`cairn ${text}`, n);
          expect(hits.length).toBeLessThanOrEqual(n);
        }),
        { numRuns: Math.ceil(Math.min(runs, 5_000) / 25) },
      );
    });

    it("answers many queries at once, each with its own hits", async () => {
      const queries = ["cairn", "lighthouse", "sourdough", "Büsum"];
      const answers = await Promise.all([...queries, ...queries].map((query) => names(query)));
      const alone = [];
      for (const query of queries) alone.push(await names(query));
      expect(answers).toEqual([...alone, ...alone]);
    });

    it("stops when it is aborted, with the given reason", async () => {
      const stop = new AbortController();
      const reason = new Error("stopped");
      const waiting = get().provider.search({ query: "cairn", n: 3 }, { signal: stop.signal });
      stop.abort(reason);
      await expect(waiting).rejects.toBe(reason);
      await expect(get().provider.search({ query: "cairn", n: 3 }, { signal: stop.signal })).rejects.toBe(reason);
      expect(await names("cairn")).toContain("cairns");
    });
  });
}
