import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseQuery, analyseText, countTerms } from "./analyse.ts";
import { Ranking } from "./rank.ts";

/** Ranks messages of one conversation; `order` says how they are numbered. */
function rank(messages: readonly string[], query: string, order = messages.map((_, nth) => nth)) {
  const numberOf = (message: number) => order.indexOf(message);
  const analysed = order.map((message) => {
    const all = analyseText(messages[message] ?? "");
    return { length: all.length, terms: countTerms(all) };
  });
  const beside = (step: number) => order.map((message) => (message + step in messages ? numberOf(message + step) : -1));
  const ranking = new Ranking(
    analyseQuery(query),
    {
      count: messages.length,
      words: analysed.reduce((sum, { length }) => sum + length, 0),
      lengths: analysed.map(({ length }) => length),
      next: beside(1),
      previous: beside(-1),
      byAge: (a, b) => (order[b] ?? 0) - (order[a] ?? 0),
    },
    ({ alternatives }) =>
      alternatives.map((terms) =>
        terms.map((term) => {
          const texts = [...analysed.keys()].filter((text) => analysed[text]?.terms.has(term));
          return { texts, counts: texts.map((text) => analysed[text]?.terms.get(term) ?? 0) };
        }),
      ),
  );
  return (count = messages.length) => ranking.best(count).map(({ text, score }) => [order[text], score] as const);
}

describe("ranking", () => {
  const found = (messages: readonly string[], query: string) => rank(messages, query)().map(([message]) => message);

  it("puts rare words before common ones, and many before few", () => {
    const messages = ["the tea", "x", "x", "the tea and the zebra", "x", "x", "the end", "x", "x", "the tea"];
    expect(found(messages, "the zebra")[0]).toBe(3);
  });

  it("passes half of a score to neighbouring messages, and a quarter to the next ones", () => {
    const scores = new Map(rank(["a b", "c d", "needle", "e f", "g h", "i j"], "needle")());
    const own = scores.get(2) ?? 0;
    expect([0, 1, 3, 4, 5].map((message) => scores.get(message))).toEqual([
      own / 4,
      own / 2,
      own / 2,
      own / 4,
      undefined,
    ]);
  });

  it("puts the newest first where scores are the same", () => {
    expect(found(["tea", "tea", "tea", "tea", "tea", "tea", "tea"], "tea").slice(0, 3)).toEqual([4, 3, 2]);
  });

  it("finds nothing for words that do not occur, and returns no more than requested", () => {
    expect(found(["one", "two"], "three")).toEqual([]);
    expect(rank(["one", "one", "one"], "one")(2)).toHaveLength(2);
  });

  it("gives the same order and the same scores however the texts are numbered", () => {
    const word = fc.constantFrom("tea", "milk", "sugar", "the", "a");
    const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const messages = fc.array(text, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(messages, text, fc.infiniteStream(fc.nat()), fc.nat({ max: 12 }), (all, query, numbers, count) => {
        const keys = all.map(() => numbers.next().value ?? 0);
        const order = all.map((_, nth) => nth).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
        const plain = rank(all, query)();
        expect(rank(all, query, order)()).toEqual(plain);
        expect(rank(all, query, order)(count + 1)).toEqual(plain.slice(0, count + 1));
      }),
      { numRuns: runs },
    );
  });
});
