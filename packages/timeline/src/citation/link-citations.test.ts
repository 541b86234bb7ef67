import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knownSources } from "./known-sources.ts";
import { linkCitations } from "./link-citations.ts";
import { replaceCitations } from "./replace-citations.ts";

const pool = [
  { sid: 1, title: "One [of] two", url: "https://e.com/a_(b)" },
  { sid: 2, title: "Two <i>", url: "https://e.com/2?a=1&b=2" },
  { sid: 3, title: "menu.pdf" },
];
const one = "[One \\[of\\] two](https://e.com/a_%28b%29)";

describe("a Markdown document", () => {
  const link = (text: string) => linkCitations(text, pool, "markdown");

  it("has links instead of citations, escaped so that no title or address ends one early", () => {
    expect(link("Fact [[S:1]], file [[S:3]].\n")).toBe(`Fact ${one}, file menu.pdf.\n`);
    expect(link("Both [[S:1,9]], none [[S:9]].")).toBe(`Both ${one}, none [[S:9]].`);
  });

  it.each([
    ["a fenced block", "Before [[S:1]]\n```md\nuse [[S:1]]\n```\nafter\n"],
    ["a fence of tildes with backticks in it", "Before [[S:1]]\n~~~\n```\nuse [[S:1]]\n~~~\n"],
    ["a longer fence", "Before [[S:1]]\n````\n```\nuse [[S:1]]\n````\n"],
    ["a fence in a list or a quotation", "Before [[S:1]]\n- ```\n  use [[S:1]]\n  ```\n> ```\n> use [[S:1]]\n> ```\n"],
    ["a fence with a quoted fence in it", "Before [[S:1]]\n```\n> ```\nuse [[S:1]]\n```\n"],
    ["a fence that never closes", "Before [[S:1]]\n```\nuse [[S:1]]"],
    ["an indented block", "Before [[S:1]]\n\n    use [[S:1]]\n    and [[S:1]]\n"],
    ["a span", "Before [[S:1]], write `[[S:1]]` or ``a ` [[S:1]]``."],
    ["a span over two lines", "Before [[S:1]], write `a\n[[S:1]]`."],
  ])("keeps %s unchanged", (_, text) => {
    expect(link(text)).toBe(text.replace("[[S:1]]", one));
  });

  it.each([
    "A lone ` before [[S:1]]",
    "Escaped \\`[[S:1]]\\`",
    "A ` that ends with its paragraph\n\n[[S:1]] `",
    "- an item\n\n    that goes on [[S:1]]",
    "a paragraph\n    that goes on [[S:1]]",
    "```\ncode\n```\n[[S:1]]",
    "a ```not a fence``` [[S:1]]",
    "> ```\n> a fence that ends with its quotation\n\n[[S:1]]",
    "- a lone ` in an item [[S:1]]\n- and ` in the next",
    "# A lone ` in a heading\n[[S:1]]\n## and ` in another",
  ])("has links outside code: %j", (text) => {
    expect(link(text)).toBe(text.replace("[[S:1]]", one));
  });

  it("without code equals the replacement of its citations, and without a known source stays unchanged", () => {
    const piece = fc.constantFrom("[[S:1]]", "[[S:2]]", "text", " ", "\n", "`", "```", "~~~", "    ", "- ", "> ", "\\");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        expect(linkCitations(text, [], "markdown")).toBe(text);
        const bare = text.replaceAll(/[`~]| {4}/g, "");
        expect(link(bare)).toBe(replaceCitations(bare, pool, "markdown"));
        // Every token stays or becomes a link; nothing else changes.
        const back = link(text).replaceAll(replaceCitations("[[S:1]]", pool, "markdown"), "[[S:1]]");
        expect(back.replaceAll(replaceCitations("[[S:2]]", pool, "markdown"), "[[S:2]]")).toBe(text);
      }),
      { numRuns: runs },
    );
  });

  it("cites no source that came after it", () => {
    const known = knownSources((sid) => pool.find((row) => row.sid === sid), 1);
    expect(linkCitations("[[S:2]] [[S:1-2]]", known, "markdown")).toBe(`[[S:2]] ${one}`);
  });
});

describe("an HTML document", () => {
  const link = (text: string) => linkCitations(text, pool, "html");
  const two = '<sup class="cite" data-sids="2"><a href="https://e.com/2?a=1&amp;b=2">Two &lt;i&gt;</a></sup>';

  it("has anchors instead of citations, written as tokens or as elements", () => {
    expect(link("<p>Fact [[S:2]].</p>")).toBe(`<p>Fact ${two}.</p>`);
    expect(link('<p>Fact<sup class="cite" data-sids="2">[2]</sup>.</p>')).toBe(`<p>Fact${two}.</p>`);
  });

  it.each([
    '<img alt="[[S:2]]">',
    "<pre>[[S:2]]</pre>",
    "<CODE class=x>[[S:2]]</CODE >",
    '<script>const a = "[[S:2]]";</script>',
    "<!-- [[S:2]] -->",
    '<a title="never closed [[S:2]]',
    '<sup class="cite" data-sids="9">9</sup>',
    two,
  ])("keeps %s unchanged", (kept) => {
    expect(link(`<p>[[S:2]]</p>${kept}`)).toBe(`<p>${two}</p>${kept}`);
  });

  it("skips invalid ids in an element, and ends an empty comment at once", () => {
    expect(link('<sup class="cite" data-sids="2,x,">[2]</sup>')).toBe(two);
    expect(link("<!--> [[S:2]] <!-- -->")).toBe(`<!--> ${two} <!-- -->`);
  });

  it("treats a lone < as text", () => {
    expect(link("1 < 2 [[S:2]]")).toBe(`1 < 2 ${two}`);
  });
});
