import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allWordsOf } from "./all-words.ts";
import { analyseQuery, analyseText, countTerms } from "./analyse.ts";
import { DERIVED } from "./words.ts";

/** Whether a text with these terms contains a term of the group. */
function isMet(terms: ReadonlyMap<string, number>, { alternatives, prefix }: ReturnType<typeof analyseQuery>[number]) {
  return (
    alternatives.flat().some((term) => terms.has(term)) ||
    (prefix !== undefined && [...terms.keys()].some((term) => term.startsWith(prefix)))
  );
}

const finds = (query: string, text: string) => {
  const terms = countTerms(analyseText(text));
  return analyseQuery(query).some((group) => isMet(terms, group));
};

describe("the analysis of a text", () => {
  it.each([
    ["car", "two cars"],
    ["go", "she went"],
    ["buy", "bought"],
    ["children", "a child"],
    ["studies", "studying"],
    ["Rechnung", "die Rechnungen sind bezahlt und das ist gut"],
    ["maisons", "la maison est dans la rue"],
    ["gatos", "el gato es muy bonito y no come"],
    ["libri", "il libro che non ho"],
    ["livros", "o livro que eu não tenho"],
    ["книга", "мои книги"],
    ["Strasse", "Straße"],
    ["RESUME", "résumé"],
    ["name", "userName"],
    ["username", "user_name"],
    ["getUserName", "get_user_name"],
    ["HTTPServer", "an http server"],
    ["email", "e-mail"],
    ["1000", "1,000"],
    ["1.250,50", "1250.5"],
    ["2026-02-09", "on the 9th of February 2026"],
    ["9/2/2026", "2026-02-09"],
    ["9 de febrero", "09.02.2026"],
    ["Dave's", "the boat of Dave"],
    ["京", "東京タワー"],
    ["東京", "東京タワー"],
    ["コーヒー", "ホットコーヒーを飲んだ"],
    ["서울", "서울에서"],
  ])("lets %j find %j", (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  it.each([
    ["1000", "10"],
    ["2026-02-09", "2027-03-10"],
    ["東京", "京東"],
    ["コーヒー", "コミュニケーション"],
    ["cat", "category"],
  ])("does not let %j find %j", (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  it("gives a text every term that a query with the same words looks for", () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constantFrom(..."aB1é京한 _-.,'’/\n"), fc.string({ unit: "binary" })),
    });
    fc.assert(
      fc.property(texts, (text) => {
        const terms = countTerms(analyseText(text));
        for (const group of analyseQuery(text)) expect([group, isMet(terms, group)]).toEqual([group, true]);
      }),
      { numRuns: runs },
    );
  });

  it("keeps every word that a list may ask for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { terms } = analyseText(text);
        const words = [...new Set(terms)].filter((term) => !term.endsWith(DERIVED));
        for (const each of allWordsOf(text)?.conditions ?? [])
          expect("term" in each ? words.includes(each.term) : words.some((word) => word.startsWith(each.prefix))).toBe(
            true,
          );
      }),
      { numRuns: runs },
    );
  });
});

describe("of a very long text the beginning is indexed, so that one text cannot hold the process up", () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, nth) => `w${nth.toString(36)}`).join(" ");
  const has = (text: string, term: string) => countTerms(analyseText(text)).has(term);

  it("20,000 different words, however often they come", () => {
    expect(has(`${numbered(19_999)} last`, "last")).toBe(true);
    expect(has(`${numbered(19_999)} ${numbered(19_999)} last`, "last")).toBe(true);
    expect(has(`${numbered(20_000)} last`, "last")).toBe(false);
    expect(has(`${numbered(20_000)} é last`, "last")).toBe(false);
  });

  it("200,000 characters of a script without spaces", () => {
    expect(has(`${"漢".repeat(199_999)} last`, "last")).toBe(true);
    expect(has(`${"漢".repeat(300_000)} last`, "last")).toBe(false);
    expect(analyseText("漢字".repeat(1_000_000)).terms.length).toBeLessThanOrEqual(200_000);
  });

  it("two million characters", () => {
    expect(has(`${"word ".repeat(399_999)}last`, "last")).toBe(true);
    expect(has(`${"word ".repeat(400_000)}last`, "last")).toBe(false);
  });
});
