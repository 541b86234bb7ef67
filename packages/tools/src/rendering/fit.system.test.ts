/** Tests that long or wide content stays on its page or slide, completely. */
import { gradientPng, officeText, readZip } from "@cairn/testkit/documents";
import { afterAll, describe, expect, it } from "vitest";
import { pdfPages, pdfWords, type SetText } from "../../test/read-back.ts";
import { EmbeddedRenderer } from "./embedded-renderer.ts";
import {
  DEFAULT_OPTIONS,
  type DocumentOptions,
  type DocumentTarget,
  type RenderedDocument,
} from "./renderer/document-renderer.ts";

const renderer = new EmbeddedRenderer();
afterAll(() => renderer.close());

function make(
  content: string,
  target: DocumentTarget,
  options: Partial<DocumentOptions> = {},
): Promise<RenderedDocument> {
  const image = gradientPng(2_400, 90, [9, 46, 92], [38, 166, 154]);
  const supply = { image: async () => image, source: async () => null };
  const request = { target, format: "markdown" as const, content, options: { ...DEFAULT_OPTIONS, ...options } };
  return renderer.render(request, supply, new AbortController().signal);
}

const part = (document: RenderedDocument, name: RegExp) =>
  [...readZip(document.bytes)].filter(([file]) => name.test(file)).map(([, bytes]) => Buffer.from(bytes).toString());
const squeezed = (text: string) => text.replace(/\s+/g, "");

/** Words that are completely or partly outside the page or in its margins. */
function outside(words: readonly SetText[], margin: number): string[] {
  return words
    .filter(({ x, width, pageWidth }) => x < margin - 1 || x + width > pageWidth - margin + 4)
    .map(({ text }) => text.slice(0, 40));
}

/** Finds words that overlap other words. */
function overlapping(words: readonly SetText[]): string[] {
  const lines = Map.groupBy(words, ({ page, y }) => `${page} ${Math.round(y)}`);
  return [...lines.values()]
    .flatMap((line) => {
      const sorted = line.toSorted((a, b) => a.x - b.x);
      return sorted.filter((word, at) => word.x + word.width > (sorted[at + 1]?.x ?? Number.POSITIVE_INFINITY) + 0.5);
    })
    .map(({ text }) => text);
}

const HASH = "cf83e1357eefb8bd".repeat(16);
const LONG = `Text ${"Donaudampfschifffahrtselektrizität".repeat(6)} and \`${HASH}\`, postgres://host/${"database".repeat(20)}.

## ${"Heading".repeat(20)}

| Key | Value |
|--|--|
| ${"long_key_".repeat(12)} | ${HASH} |

- ${"item".repeat(60)}
  - deeper

    \`\`\`js
    const x = "${HASH}";a.b(c).${"call()[0]".repeat(30)}
    \`\`\`

> ${"quote".repeat(60)}
`;

describe("words that are longer than a line", () => {
  it.each([
    ["a4", 68],
    ["a5", 48],
  ] as const)("break inside the margins of %s, and are whole words when copied", async (pageSize, margin) => {
    const { bytes } = await make(LONG, "pdf", { pageSize, pageNumbers: false });
    expect(outside(await pdfWords(bytes), margin)).toEqual([]);
    const text = squeezed((await pdfPages(bytes)).join(""));
    for (const word of [
      HASH,
      "item".repeat(60),
      "call()[0]".repeat(30),
      "Donaudampfschifffahrtselektrizität".repeat(6),
    ])
      expect(text).toContain(word);
    expect(text).not.toContain("\u200b");
  });

  it("of a hundred thousand letters take bounded time", async () => {
    expect((await make("x".repeat(100_000), "pdf")).pages).toBeGreaterThan(10);
  });
});

const table = (columns: number, rows: number, cell: (row: number, column: number) => string) => {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const numbers = Array.from({ length: columns }, (_, at) => at);
  const body = Array.from({ length: rows }, (_, row) => line(numbers.map((column) => cell(row, column))));
  return [line(numbers.map((at) => `Column ${at}`)), `|${"--:|".repeat(columns)}`, ...body].join("\n");
};

describe("wide tables", () => {
  const WIDE = [
    [14, (row: number, column: number) => (1_234_567.891 * (row + 1) * (column + 1)).toFixed(2)],
    [30, (row: number, column: number) => `value ${row}.${column}`],
  ] as const;

  it.each(WIDE)(
    "with %i columns have no overlapping words, on a landscape page if necessary",
    async (columns, cell) => {
      const { bytes } = await make(`Before\n\n${table(columns, 6, cell)}\n\nAfter`, "pdf");
      const words = await pdfWords(bytes);
      expect(overlapping(words)).toEqual([]);
      expect(outside(words, 60)).toEqual([]);
      expect([...new Set(words.map(({ pageWidth }) => Math.round(pageWidth)))]).toEqual([595, 842]);
    },
  );

  it("have landscape pages in DOCX, and smaller letters on slides", async () => {
    const content = `Before\n\n${table(30, 6, (row, column) => `value ${row}.${column}`)}\n\nAfter`;
    const [document = ""] = part(await make(content, "docx"), /^word\/document\.xml$/);
    expect(document.match(/w:orient="\w+"/g)).toEqual([
      'w:orient="portrait"',
      'w:orient="landscape"',
      'w:orient="portrait"',
    ]);
    const slides = await make(content, "pptx");
    expect(slides.pages).toBeLessThan(4);
  });

  it("wide tables that are narrow enough stay unchanged", async () => {
    const words = await pdfWords(
      (
        await make(
          table(6, 6, () => "word"),
          "pdf",
        )
      ).bytes,
    );
    expect(new Set(words.map(({ pageWidth }) => Math.round(pageWidth)))).toEqual(new Set([595]));
  });
});

describe("slides", () => {
  const SENTENCE = "A sentence that is said again. ";
  const slideTexts = (document: RenderedDocument) => part(document, /^ppt\/slides\/slide\d+\.xml$/);

  it("hold no paragraph, item, note or cell higher than the slide, and lose no text", async () => {
    const long = SENTENCE.repeat(150);
    const content = `# Title\n\n${long}\n\n- ${long}\n\n| One |\n|--|\n| ${long} |\n\nNote[^1].\n\n[^1]: ${long}`;
    const document = await make(content, "pptx");
    const text = officeText(document.bytes);
    expect(text.split(SENTENCE.trim()).length - 1).toBe(600);
    // A slide has eighteen lines of about a hundred and twenty letters; those of a table are smaller.
    for (const xml of slideTexts(document)) expect(xml.replace(/<[^>]*>/g, "").length).toBeLessThan(4_600);
  });

  it("begin at page breaks, show pictures of a line below it, and keep notes of every kind", async () => {
    const content =
      "# Title\n\n## One\n\nFirst ![wide](a.png) words\n\n<!-- pagebreak -->\n\nSecond[^1]\n\n[^1]: Before\n\n    | a | b |\n    |--|--|\n    | cell1 | cell2 |\n\n    ```\n    noteCode\n    ```\n";
    const document = await make(content, "pptx");
    const slides = slideTexts(document);
    expect(slides.findIndex((xml) => xml.includes("First"))).not.toBe(
      slides.findIndex((xml) => xml.includes("Second")),
    );
    expect(slides.filter((xml) => xml.includes("<p:pic>"))).toHaveLength(1);
    for (const word of ["cell1", "cell2", "noteCode"]) expect(officeText(document.bytes)).toContain(word);
  });

  it("are compressed", async () => {
    const document = await make(`# T\n\n${"Words and words. ".repeat(500)}`, "pptx");
    const whole = [...readZip(document.bytes).values()].reduce((sum, bytes) => sum + bytes.length, 0);
    expect(document.bytes.length).toBeLessThan(whole / 3);
  });
});

describe("pages", () => {
  it("do not split a table after its first rows, or a line from the code it introduces", async () => {
    for (let lines = 40; lines < 56; lines++) {
      const filler = Array.from({ length: lines }, (_, at) => `line${at}  `).join("\n");
      const rows = table(2, 30, (row) => `row${row}`);
      const pages = await pdfPages((await make(`${filler}\n\n${rows}`, "pdf")).bytes);
      const [first = ""] = pages.filter((page) => page.includes("Column 0"));
      expect(first).toMatch(/row2/);
      const coded = await pdfPages(
        (await make(`${filler}\n\nIntroduces:\n\n\`\`\`\none\ntwo\nthree\n\`\`\``, "pdf")).bytes,
      );
      expect(coded.find((page) => page.includes("Introduces:"))).toContain("three");
    }
  });

  it("have formulas no wider than the page", async () => {
    const sum = Array.from({ length: 40 }, (_, at) => `a_{${at}}`).join(" + ");
    expect(outside(await pdfWords((await make(`$$\n${sum}\n$$`, "pdf")).bytes), 60)).toEqual([]);
  });

  it("have notes with all their content, in PDF and DOCX", async () => {
    const content = "Text[^1].\n\n[^1]: Before\n\n    | a | b |\n    |--|--|\n    | cell1 | cell2 |\n";
    expect((await pdfPages((await make(content, "pdf")).bytes)).join("")).toMatch(/cell1.*cell2/);
    expect(officeText((await make(content, "docx")).bytes)).toMatch(/cell1.*cell2/);
  });
});

describe("contents", () => {
  const CONTENT =
    "# Title\n\nText\n\n## First\n\nText\n\n<!-- pagebreak -->\n\n## Second\n\nText\n\n<!-- pagebreak -->\n\n## Third\n\nEnd";

  it("have the pages of their headings in DOCX, without asking the reader to update anything", async () => {
    const document = await make(CONTENT, "docx", { toc: true });
    const text = officeText(document.bytes);
    expect(text).toMatch(/First\t2\n/);
    expect(text).toMatch(/Second\t3\n/);
    expect(text).toMatch(/Third\t4\n/);
    const [xml = ""] = part(document, /^word\/document\.xml$/);
    expect(xml.includes('w:dirty="true"')).toBe(false);
    expect(part(document, /^word\/settings\.xml$/).join("")).not.toContain("w:updateFields");
  });

  it("of a very long DOCX have links only, and a remark says so", async () => {
    const long = await make(`${CONTENT}\n\n${"Many words. ".repeat(25_000)}`, "docx", { toc: true });
    expect(long.remarks).toEqual([expect.stringContaining("no page numbers")]);
    const text = officeText(long.bytes);
    expect([/First\s*\n/.test(text), /First\t2/.test(text)]).toEqual([true, false]);
    expect(
      part(long, /^word\/document\.xml$/)
        .join("")
        .includes('w:dirty="true"'),
    ).toBe(false);
  });

  it("are in the language of the document, as are sources and notes", async () => {
    const pdf = (await pdfPages((await make(CONTENT, "pdf", { toc: true, language: "de" })).bytes)).join(" ");
    expect(pdf).toContain("Inhalt");
    expect(officeText((await make(CONTENT, "pptx", { toc: true, language: "fr" })).bytes)).toContain("Sommaire");
  });
});

it("a script without a font is reported", async () => {
  expect((await make("தமிழ் and বাংলা", "pdf")).remarks).toEqual([expect.stringContaining("Bengali, Tamil")]);
  expect((await make("中文 العربية हिन्दी ไทย 한국어 日本語 Ελληνικά ქართული", "pdf")).remarks).toEqual([]);
});
