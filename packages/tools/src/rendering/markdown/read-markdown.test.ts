import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_NESTED, plainText } from "../model/document.ts";
import { withTitle } from "../model/title.ts";
import { allBlocks, allInlines } from "../model/walk.ts";
import { readMarkdown } from "./read-markdown.ts";

const only = (content: string) => readMarkdown(content).blocks[0];

describe("readMarkdown", () => {
  it("finds citations in text and none in code", () => {
    const inlines = [...allInlines(readMarkdown("A [[S:1, 3-4]] `[[S:2]]` ［［S：5］］ [[x]] [S:6]"))];
    expect(inlines.flatMap((inline) => (inline.kind === "citation" ? [inline.sids] : []))).toEqual([[1, 3, 4], [5]]);
    expect(inlines).toContainEqual({ kind: "code", text: "[[S:2]]" });
    expect(plainText(inlines)).toContain("[[x]] [S:6]");
  });

  it("begins a new line for a label in bold, and at no other line end", () => {
    const lines = (text: string) =>
      [...allInlines(readMarkdown(text))]
        .map((each) => (each.kind === "break" ? "\n" : "text" in each ? each.text : ""))
        .join("")
        .split(/ *\n/);
    expect(lines("**From:** Ada\n**To:** Ben\n**Date**: today")).toEqual(["From: Ada", "To: Ben", "Date: today"]);
    expect(lines("**发件人**：李雷\n**收件人**：韩梅")).toEqual(["发件人：李雷", "收件人：韩梅"]);
    expect(lines("Some words\n**in bold** go on\nand on, **To:** too")).toEqual([
      "Some words in bold go on and on, To: too",
    ]);
  });

  it("distinguishes formulas from prices and brackets", () => {
    const formulas = (text: string) =>
      [...allInlines(readMarkdown(text))].flatMap((each) => (each.kind === "math" ? [each.tex] : []));
    expect(formulas("from $5 to $10, or $x^2$ and \\(a_1\\)")).toEqual(["x^2", "a_1"]);
    expect(formulas('call\\(1\\) and f\\("x"\\)')).toEqual([]);
    expect(only("$$\na = b\n$$\n\nText")).toEqual({ kind: "math", tex: "a = b" });
  });

  it("numbers footnotes by first reference, also inside each other, and leaves unknown ones as text", () => {
    const { blocks, footnotes } = readMarkdown(
      "B[^b] A[^a] B[^b] [^none]\n\n[^a]: First\n[^b]: Second\n    more[^a]\n[^b]: Again\n",
    );
    const numbers = [...allInlines({ blocks, footnotes: [] })].flatMap((each) =>
      each.kind === "footnote" ? [each.number] : [],
    );
    expect(numbers).toEqual([1, 2, 1]);
    expect(footnotes).toHaveLength(2);
    expect(JSON.stringify(blocks)).toContain("[^none]");
    expect(JSON.stringify(footnotes[0])).toContain("Second");
  });

  it("a footnote that refers to itself does not loop", () => {
    expect(readMarkdown("x[^a]\n\n[^a]: self[^a]\n").footnotes).toHaveLength(1);
  });

  it("reads tasks, pictures with captions, page breaks and alerts", () => {
    expect(only("- [x] done\n- [ ] open")).toMatchObject({ items: [{ done: true }, { done: false }] });
    expect(only('![alt](a%20b.png "Caption")')).toEqual({
      kind: "image",
      src: "a%20b.png",
      alt: "alt",
      caption: "Caption",
      width: null,
    });
    expect(only("<!-- pagebreak -->\n")).toEqual({ kind: "page-break" });
    expect(JSON.stringify(only("> [!WARNING]\n> Hot"))).toContain("Warning.");
  });

  it("reads embedded HTML", () => {
    const inlines = [
      ...allInlines(
        readMarkdown(
          'H<sub>2</sub>O <b>bold</b> <sup class="cite" data-sids="2">x</sup> &amp; <unknown>kept</unknown>',
        ),
      ),
    ];
    expect(inlines).toContainEqual({ kind: "sub", children: [{ kind: "text", text: "2" }] });
    expect(inlines).toContainEqual({ kind: "citation", sids: [2], token: "[[S:2]]" });
    expect(plainText(inlines)).toContain("& kept");
  });

  it("fills rows of a table to the width of its header", () => {
    expect(only("| a | b |\n|--|--|\n| 1 |\n| 1 | 2 | 3 |")).toMatchObject({
      rows: [
        [[{ text: "1" }], []],
        [[{ text: "1" }], [{ text: "2" }]],
      ],
    });
  });

  it("reads any text, keeps to its nesting limit, and keeps every word of plain text", () => {
    const piece = fc.constantFrom(
      "> ",
      "- ",
      "1. ",
      "**",
      "*",
      "_",
      "`",
      "[",
      "](u)",
      "[[S:1]]",
      "$",
      "$$",
      "[^a]",
      "[^a]: ",
      "\n",
      "\n\n",
      "# ",
      "| a |",
      "|--|",
      "<b>",
      "</b>",
      "<div>",
      "    ",
      "![",
      "word",
      "<!--",
      "\\",
      "&amp;",
      "~~",
      "中",
      "\u0000",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const document = readMarkdown(pieces.join(""));
        const deepest = (blocks: readonly unknown[], depth: number): number =>
          Math.max(depth, ...blocks.map((block) => JSON.stringify(block).split('"kind":"quote"').length - 1));
        expect(deepest(document.blocks, 0)).toBeLessThanOrEqual(MAX_NESTED.blocks);
        expect([...allBlocks(document)].length).toBeGreaterThanOrEqual(document.blocks.length);
      }),
      { numRuns: Math.min(runs, 500) },
    );
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 }), (words) => {
        expect(plainText([...allInlines(readMarkdown(words.join(" ")))])).toBe(words.join(" "));
      }),
      { numRuns: Math.min(runs, 300) },
    );
  });
});

describe("front matter and notes", () => {
  it("fields at the top describe the document, and a rule at the top is a rule", () => {
    const front = readMarkdown('---\ntitle: "The title"\ntags:\n  - a\n---\n\nText');
    expect([front.title, front.blocks.length]).toEqual(["The title", 1]);
    expect(readMarkdown("---\n\nText\n\n---\n").blocks.map(({ kind }) => kind)).toEqual(["rule", "paragraph", "rule"]);
    expect(readMarkdown("---\nJust words\n---\n").title).toBeNull();
  });

  it("a note directly after the first letter of a paragraph does not begin another paragraph", () => {
    const [block] = readMarkdown("A[^1] b.\n\n[^1]: x").blocks;
    expect(block).toMatchObject({ children: [{ kind: "text", text: "A" }, { kind: "footnote" }, { text: " b." }] });
  });
});

describe("withTitle", () => {
  it("uses the heading at the beginning of the content, once, and raises the others", () => {
    const document = withTitle(readMarkdown("# Title\n\n## A\n\n### B"), null);
    expect(document.title).toBe("Title");
    expect(document.blocks.map((block) => (block.kind === "heading" ? block.level : 0))).toEqual([1, 2]);
    expect(withTitle(readMarkdown("# Title\n\nText"), " title ").blocks).toHaveLength(1);
    expect(withTitle(readMarkdown("# Other\n\nText"), "Title").blocks).toHaveLength(2);
  });
});
