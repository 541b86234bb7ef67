import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractCitations } from "./extract-citations.ts";
import { replaceCitations } from "./replace-citations.ts";

describe("extraction", () => {
  it("gives ids in first-seen order without repeats", () => {
    expect(extractCitations("x [[S:3]] y [[s: 1, 3-4 ]] z [S:9]", "markdown")).toEqual([3, 1, 4]);
    expect(extractCitations("[[S:9-7]] [[S:8,1]] [[S:0]]", "markdown")).toEqual([7, 8, 9, 1, 0]);
    expect(extractCitations("", "markdown")).toEqual([]);
  });

  it("finds every id of a list of tokens in order", () => {
    const ids = fc.array(fc.array(fc.nat({ max: 999_999_999 }), { minLength: 1, maxLength: 5 }));
    fc.assert(
      fc.property(ids, (tokens) => {
        const text = tokens.map((token) => `Fact [[S: ${token.join(" , ")} ]]`).join(". ");
        expect(extractCitations(text, "markdown")).toEqual([...new Set(tokens.flat())]);
      }),
      { numRuns: runs },
    );
  });

  it("HTML gives tokens and cite elements in the order of the text", () => {
    const text = '[[S:5]] <sup class="cite" data-sids="1, 3,5">x</sup> [[S:2]] <SUP data-sids=\'8\' class="a cite">';
    expect(extractCitations(text, "html")).toEqual([5, 1, 3, 2, 8]);
    expect(extractCitations(text, "markdown")).toEqual([5, 2]);
  });

  it("a data-sids item may be a range, and an invalid one is skipped", () => {
    const cite = (sids: string) => extractCitations(`<sup class="cite" data-sids="${sids}">`, "html");
    expect(cite("3-1,7–8")).toEqual([1, 2, 3, 7, 8]);
    expect(cite("x,,1.5,-1,1234567890,0-999999999, 4 ")).toEqual([4]);
    expect(cite("")).toEqual([]);
  });

  it("an HTML replacement cites the ids of the text, except those dropped from its tokens", () => {
    const sid = fc.nat({ max: 6 });
    const tokens = fc.array(fc.array(sid, { minLength: 1, maxLength: 3 }), { maxLength: 6 });
    fc.assert(
      fc.property(tokens, fc.uniqueArray(sid), (all, known) => {
        const pool = known.map((id) => ({ sid: id, title: `[[S:${id + 1}]]`, url: `https://e.com/[[S:${id}]]` }));
        const kept = all.map((ids) =>
          ids.some((id) => known.includes(id)) ? ids.filter((id) => known.includes(id)) : ids,
        );
        const text = all.map((ids) => `[[S:${ids.join(",")}]]`).join(" and ");
        expect(extractCitations(replaceCitations(text, pool, "html"), "html")).toEqual([...new Set(kept.flat())]);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ['{"citations": [{"sids": [3, 1]}, {"sids": ["4", 3]}]}', [3, 1, 4]],
    ['\ufeff {"citations": [{"sids": [1]}]}', [1]],
    ['{"citations": [{"sids": [0, -0, -1, 1.5, 1e9, 1e400, "x", "", " 2", null, true, [3], {"a": 4}, 2.0]}]}', [0, 2]],
    ['{"citations": [{"sids": 1}, {"sids": {"0": 1}}, {"sids": "1"}, null, 5, [1], {}]}', []],
    ['{"citations": {"sids": [1]}}', []],
    ['{"a": {"citations": [{"sids": [1]}]}}', []],
    ['{"__proto__": {"citations": [{"sids": [1]}]}}', []],
    ['[{"citations": [{"sids": [1]}]}]', []],
    ['{"text": "[[S:1]]"}', []],
    ['{"citations": [{"sids": [1]}]', []],
    ["null", []],
    ["not json", []],
    ["", []],
  ])("JSON %j cites %j", (text, sids) => {
    expect(extractCitations(text, "json")).toEqual(sids);
  });

  it("deeply nested JSON cites nothing and does not crash", () => {
    expect(extractCitations(`{"citations": ${"[".repeat(200_000)}`, "json")).toEqual([]);
    expect(extractCitations(`{"citations": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "json")).toEqual([]);
  });

  it("only the first million of more than a million ids are returned", () => {
    const tokens = Array.from({ length: 1_100 }, (_, index) => `[[S:${index * 1000}-${index * 1000 + 999}]]`).join("");
    const sids = extractCitations(tokens, "markdown");
    expect(sids).toHaveLength(1_000_000);
    expect(sids.at(-1)).toBe(999_999);
  });

  it("wrong arguments are typed errors", () => {
    expect(() => extractCitations("x", JSON.parse('"toml"'))).toThrow(expect.objectContaining({ code: "bad_format" }));
    expect(() => extractCitations(JSON.parse("[]"), "html")).toThrow(expect.objectContaining({ code: "bad_text" }));
  });

  it.each<[string, (size: number) => string]>([
    ["unclosed tags", (size) => "<sup".repeat(size)],
    ["tags and tokens", (size) => '<sup class="cite" data-sids="1">[[S:2]]'.repeat(size)],
    ["a long attribute", (size) => `<sup class="cite" data-sids="${"1,".repeat(size)}">`],
    ["spaces in an attribute", (size) => `<sup class="cite" data-sids="1${" ".repeat(size * 10)}x">`],
  ])("%s in HTML: time grows with the length alone", (_name, make) => {
    expect(growthOnDoubling(make, (text) => extractCitations(text, "html"), 4_000)).toBeLessThan(3);
  });
});
