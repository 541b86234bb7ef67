/** Tables of a text that runs from right to left, in every format: the first column at the right, cells at its edge. */
import { readZip } from "@cairn/testkit/documents";
import { afterAll, describe, expect, it } from "vitest";
import { pdfWords } from "../../../test/read-back.ts";
import { EmbeddedRenderer } from "../embedded-renderer.ts";
import { DEFAULT_OPTIONS, type DocumentTarget } from "../renderer/document-renderer.ts";
import type { TableBlock } from "./document.ts";
import { staysTogether } from "./table-layout.ts";

const renderer = new EmbeddedRenderer();
afterAll(() => renderer.close());

const TABLE = "| اليوم | من | ملاحظات |\n|:--|:--|---|\n| الأحد | 9:00 | دوام |\n| الخميس | 9:30 | عطلة |\n";

async function make(target: DocumentTarget): Promise<Uint8Array> {
  const supply = { image: async () => null, source: async () => null };
  const request = { target, format: "markdown", content: TABLE, options: DEFAULT_OPTIONS } as const;
  return (await renderer.render(request, supply, new AbortController().signal)).bytes;
}

const part = (bytes: Uint8Array, name: string) => Buffer.from(readZip(bytes).get(name) ?? []).toString();

describe("a right-to-left table", () => {
  it("has its first column at the right of a PDF, and aligns numbers with the words of their column", async () => {
    const words = await pdfWords(await make("pdf"));
    const edge = (text: RegExp) => {
      const found = words.filter((word) => text.test(word.text));
      return Math.max(...found.map(({ x, width }) => x + width));
    };
    expect(edge(/9:00/)).toBeLessThan(Math.max(...words.map(({ x, width }) => x + width)) - 20);
    expect(Math.abs(edge(/9:00/) - edge(/9:30/))).toBeLessThan(1);
    expect(Math.abs(edge(/9:00/) - edge(/^من$|^نم$/))).toBeLessThan(2);
  });

  it("has its first column at the right of a Word document, and the width of the page", async () => {
    const xml = part(await make("docx"), "word/document.xml");
    expect(xml).toContain("<w:bidiVisual/>");
    const cells = xml.match(/<w:tc>.*?<\/w:tc>/gs) ?? [];
    expect(cells).toHaveLength(9);
    for (const cell of cells) expect(cell).toMatch(/<w:bidi\/>.*<w:jc w:val="start"\/>/);
    const widths = [...xml.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(9_000);
  });

  it("has its first column at the right of a slide", async () => {
    const bytes = await make("pptx");
    const xml = part(bytes, "ppt/slides/slide1.xml");
    const row = (/<a:tr .*?<\/a:tr>/s.exec(xml)?.[0].match(/<a:t>[^<]*/g) ?? []).map((text) => text.slice(5));
    expect(row).toEqual(["ملاحظات", "من", "اليوم"]);
    const cells = xml.match(/<a:tc>.*?<\/a:tc>/gs) ?? [];
    for (const cell of cells)
      expect(cell).toMatch(/<a:pPr[^>]* algn="r"[^>]* rtl="1"|<a:pPr[^>]* rtl="1"[^>]* algn="r"/);
    const [, x = 0, w = 0] = /<p:graphicFrame>.*?<a:off x="(\d+)".*?<a:ext cx="(\d+)"/s.exec(xml)?.map(Number) ?? [];
    expect(x + w).toBeGreaterThan(12.5 * 914_400);
  });
});

it("a table stays on one page when it has few rows, or a few more with short cells", () => {
  const table = (count: number, text: string): TableBlock => ({
    kind: "table",
    align: [null],
    header: [[{ kind: "text", text: "h" }]],
    rows: Array.from({ length: count }, () => [[{ kind: "text" as const, text }]]),
  });
  const long = "word ".repeat(30);
  expect([6, 7, 12, 13].map((count) => staysTogether(table(count, "short")))).toEqual([true, true, true, false]);
  expect([6, 7].map((count) => staysTogether(table(count, long)))).toEqual([true, false]);
});
