/** The text of a slide can be edited as one box of paragraphs, with real bullets and numbers instead of letters. */

import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { officeText, readZip } from "@cairn/testkit/documents";
import { findCommand } from "@cairn/testkit/system-package";
import { afterAll, describe, expect, it } from "vitest";
import { writeOfficeFonts } from "../../../test/office-fonts.ts";
import { pdfPages, printOffice } from "../../../test/read-back.ts";
import { EmbeddedRenderer } from "../embedded-renderer.ts";
import { type ContentFormat, DEFAULT_OPTIONS } from "../renderer/document-renderer.ts";

const renderer = new EmbeddedRenderer();
const office = findCommand("soffice", "libreoffice-nogui");
afterAll(() => renderer.close());

async function make(content: string, format: ContentFormat = "markdown"): Promise<Uint8Array> {
  const supply = { image: async () => null, source: async () => null };
  const request = { target: "pptx", format, content, options: DEFAULT_OPTIONS } as const;
  return (await renderer.render(request, supply, new AbortController().signal)).bytes;
}

interface Paragraph {
  readonly text: string;
  readonly level: number;
  /** The list mark: `•`, `from 5`, or nothing. */
  readonly bullet: string;
  readonly xml: string;
}

/** The boxes with text on the slides below their titles, slide by slide. */
function boxesOf(bytes: Uint8Array): Paragraph[][][] {
  const slides = [...readZip(bytes)]
    .flatMap(([name, part]) => {
      const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1];
      return number === undefined ? [] : [{ number: Number(number), xml: Buffer.from(part).toString() }];
    })
    .toSorted((a, b) => a.number - b.number);
  return slides.map(({ xml }) =>
    (xml.match(/<p:sp>.*?<\/p:sp>/gs) ?? [])
      .filter((shape) => shape.includes("<p:txBody>") && !/<p:ph\s[^>]*type="title"|<a:fld/.test(shape))
      .map((body) => (body.match(/<a:p>.*?<\/a:p>/gs) ?? []).map(paragraphOf)),
  );
}

function paragraphOf(xml: string): Paragraph {
  const startAt = /<a:buAutoNum type="arabicPeriod" startAt="(\d+)"/.exec(xml)?.[1];
  return {
    text: [...xml.matchAll(/<a:t>([^<]*)/g)].map(([, text]) => text).join(""),
    level: Number(/<a:pPr[^>]* lvl="(\d)"/.exec(xml)?.[1] ?? 0),
    bullet: startAt === undefined ? (/<a:buChar char="(.)"/u.exec(xml)?.[1] ?? "") : `from ${startAt}`,
    xml,
  };
}

const shown = (box: readonly Paragraph[]) => box.map(({ text, level, bullet }) => `${level}|${bullet}|${text}`);

const LISTS = `Before **bold** and \`code\`, [a link](https://example.org).

- one
  - deeper
    1. first

    goes on
- **two**

5. five
6. six

   goes on

7. seven
   - nested
8. eight

Between

- [x] done
- [ ] open`;

describe("the text of a slide", () => {
  it("is one box whose items are paragraphs with bullets, numbers and levels", async () => {
    const [boxes = [], more = []] = boxesOf(await make(LISTS));
    expect(more.map(shown)).toEqual([["0||Between", "0|☑|done", "0|☐|open"]]);
    expect(boxes.map(shown)).toEqual([
      [
        "0||Before bold and code, a link.",
        "0|•|one",
        "1|•|deeper",
        "2|from 1|first",
        "2||goes on",
        "0|•|two",
        "0|from 5|five",
        "0|from 5|six",
        "1||goes on",
        "0|from 7|seven",
        "1|•|nested",
        "0|from 7|eight",
      ],
    ]);
  });

  it("has the properties of each paragraph once, before its runs, with deeper levels indented further", async () => {
    const all = boxesOf(await make(LISTS)).flat(2);
    for (const { xml } of all) {
      expect(xml.startsWith("<a:p><a:pPr ")).toBe(true);
      expect(xml.match(/<a:pPr/g)).toHaveLength(1);
    }
    const margin = (text: string) =>
      Number(/marL="(\d+)"/.exec(all.find((paragraph) => paragraph.text === text)?.xml ?? "")?.[1]);
    expect(margin("Between")).toBe(0);
    expect(margin("one")).toBeGreaterThan(0);
    expect([margin("deeper"), margin("first")]).toEqual([2 * margin("one"), 3 * margin("one")]);
    expect(all.find(({ text }) => text === "one")?.xml).toMatch(/<a:buClr><a:srgbClr val="[0-9A-F]{6}"\/><\/a:buClr>/);
    expect(all[0]?.xml).toContain("<a:hlinkClick");
  });

  it("is split by code and quotes, and mirrored for right-to-left texts", async () => {
    const content =
      "- one\n\n```\ncode\n```\n\n- two\n- שתיים\n\n> quoted\n>\n> - item\n\nAfter\n\n1. a\n\nAnd\n\n1. b";
    const [boxes = []] = boxesOf(await make(content));
    expect(boxes.map(shown)).toEqual([
      ["0|•|one"],
      ["0||code"],
      ["0|•|two", "0|•|שתיים"],
      ["0||quoted", "0|•|item"],
      ["0||After", "0|from 1|a", "0||And"],
      // A program may count on from the list before where both are in one box.
      ["0|from 1|b"],
    ]);
    const turned = boxes.flat().filter(({ xml }) => xml.includes('algn="r" rtl="1"'));
    expect(turned.map(({ text }) => text)).toEqual(["שתיים"]);
  });

  it("writes numbers that a list cannot start from as text", async () => {
    const [boxes = []] = boxesOf(await make("0. none\n1. one\n\nText\n\n999999999. much"));
    expect(boxes.map(shown)).toEqual([["0||0.\tnone", "0|from 1|one", "0||Text", "0||999999999.\tmuch"]]);
  });

  it("has one bullet for an item whose code has two lines, which stay two", async () => {
    const [boxes = []] = boxesOf(await make("<ul><li><code>x\ny</code> and<br>more</li><li>two</li></ul>", "html"));
    expect(boxes.map(shown)).toEqual([["0|•|xy andmore", "0|•|two"]]);
    expect(boxes[0]?.[0]?.xml.match(/<a:br\/>/g)).toHaveLength(2);
  });
});

describe("a presentation", () => {
  const partsOf = (bytes: Uint8Array) =>
    new Map([...readZip(bytes)].map(([name, part]) => [name, Buffer.from(part).toString()]));
  const titleOf = (slide = "") =>
    (slide.match(/<p:sp>.*?<\/p:sp>/gs) ?? [])
      .filter((shape) => /<p:ph\s[^>]*type="title"/.test(shape))
      .map((shape) => [...shape.matchAll(/<a:t>([^<]*)/g)].map(([, text]) => text).join(""));
  const slide = (parts: ReadonlyMap<string, string>, number: number) => parts.get(`ppt/slides/slide${number}.xml`);

  it("states the title of every slide, and names only existing parts", async () => {
    const parts = partsOf(
      await make("# Plan\n\nFor the board\n\n- 15 November\n\n# Goals\n\n- one\n\n# Costs\n\nFew."),
    );
    expect([1, 2, 3, 4].map((number) => titleOf(slide(parts, number)))).toEqual([["Plan"], ["Goals"], ["Costs"], []]);
    const named = [...(parts.get("[Content_Types].xml") ?? "").matchAll(/PartName="\/([^"]+)"/g)].map(
      ([, part]) => part,
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((part) => !parts.has(part ?? ""))).toEqual([]);
  });

  it("has a short text before its first section on the cover, and a longer one on its own slide", async () => {
    const cover = slide(partsOf(await make("# Plan\n\nFor the board\n\n- 15 November\n\n# Goals\n\n- one")), 1);
    expect(cover).toMatch(/Plan.*For the board.*15 November/s);
    const parts = partsOf(await make(`# Plan\n\n${"Many words. ".repeat(30)}\n\n# Goals\n\n- one`));
    expect([slide(parts, 1)?.includes("Many words"), titleOf(slide(parts, 2))]).toEqual([false, ["Plan"]]);
  });

  it("has no line for a title that does not exist", async () => {
    const parts = partsOf(await make("Dear all,\n\n# Plan\n\nText"));
    const lines = [1, 2].map((number) => slide(parts, number)?.match(/<\/a:prstGeom><a:solidFill>/g)?.length ?? 0);
    expect([titleOf(slide(parts, 1)), titleOf(slide(parts, 2)), lines]).toEqual([[], ["Plan"], [0, 1]]);
  });

  it("begins the content of an item on the item's slide", async () => {
    const slides = boxesOf(await make(`# A\n\n# B\n\n${"- item\n".repeat(12)}- parent\n  - child\n  - other`));
    const texts = slides.map((boxes) => boxes.flat().map(({ text }) => text));
    const at = texts.findIndex((text) => text.includes("parent"));
    expect(texts[at]).toContain("child");
  });
});

describe("a list longer than a slide", () => {
  const content = `# Long\n\n${Array.from({ length: 40 }, (_, at) => `${at + 3}. word${at + 3}`).join("\n")}`;

  it("continues in a box on the next slide with the next number, and LibreOffice counts the same", async ({ skip }) => {
    const bytes = await make(content);
    const boxes = boxesOf(bytes).slice(1);
    expect(boxes.length).toBeGreaterThan(2);
    for (const slide of boxes) {
      expect(slide).toHaveLength(1);
      const [first] = slide.flat();
      expect(new Set(slide.flat().map(({ bullet }) => bullet))).toEqual(
        new Set([first?.text.replace("word", "from ")]),
      );
    }
    expect(officeText(bytes).match(/word\d+/g)).toHaveLength(40);
    if (office.path === null) return skip(office.reason);
    const fonts = writeOfficeFonts();
    const printed = printOffice(
      office.path,
      new Map([
        ["l.pptx", bytes],
        ["n.pptx", await make(LISTS)],
      ]),
      fonts,
    );
    rmSync(dirname(fonts), { recursive: true });
    const [long = "", nested = ""] = await Promise.all(
      [...printed.values()].map(async (pdf) => (await pdfPages(pdf)).join(" ").replace(/\s+/g, " ")),
    );
    for (let number = 3; number < 43; number++) expect(long).toContain(`${number}. word${number}`);
    for (const item of ["1. first", "5. five", "6. six", "7. seven", "8. eight", "☑ done"])
      expect(nested).toContain(item);
  });
});
