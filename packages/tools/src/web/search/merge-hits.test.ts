import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeHits } from "./merge-hits.ts";
import type { SearchHit } from "./search-provider.ts";

const hit = (url: string, title = "", text = ""): SearchHit => ({ url, title, text });
const urls = (...answers: SearchHit[][]) => mergeHits(answers, undefined, 10).map(({ url }) => url);

it("a page that several queries found is one row, with the longer title and text, before the best page of one query", () => {
  const merged = mergeHits(
    [
      [hit("https://a.example/1", "Only once"), hit("https://b.example/x?utm_source=q#top", "B", "a longer text")],
      [hit("https://c.example/1"), hit("https://B.example/x/", "B with more", "short")],
    ],
    undefined,
    10,
  );
  expect(merged.map(({ url }) => url)).toEqual([
    "https://b.example/x?utm_source=q#top",
    "https://a.example/1",
    "https://c.example/1",
  ]);
  expect(merged[0]).toMatchObject({ title: "B with more", text: "a longer text", provider_rank: 2 });
});

it("equal pages keep the order in which they were found", () => {
  expect(urls([hit("https://a.example/")], [hit("https://b.example/")], [hit("https://c.example/")])).toEqual([
    "https://a.example/",
    "https://b.example/",
    "https://c.example/",
  ]);
});

it("words of the objective raise a page, but not above a much better ranked one", () => {
  const hits = Array.from({ length: 80 }, (_, n) =>
    hit(`https://e.example/${n}`, n === 1 || n === 79 ? "tides of Büsum" : "other"),
  );
  const merged = mergeHits([hits], "the tides at Büsum", 80).map(({ url }) => url);
  expect(merged[0]).toBe("https://e.example/1");
  expect(merged.indexOf("https://e.example/79")).toBeGreaterThan(0);
});

it("no page is repeated, none is lost, and no more are returned than requested", () => {
  const page = fc.integer({ min: 0, max: 12 }).map((n) => hit(`https://e.example/${n}`));
  fc.assert(
    fc.property(
      fc.array(fc.array(page, { maxLength: 8 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 20 }),
      (answers, n) => {
        const merged = mergeHits(answers, "x", n).map(({ url }) => url);
        const all = new Set(answers.flat().map(({ url }) => url));
        expect(new Set(merged).size).toBe(merged.length);
        expect(merged.length).toBe(Math.min(n, all.size));
      },
    ),
    { numRuns: runs },
  );
});
