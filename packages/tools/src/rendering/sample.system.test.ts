/**
 * The sample of twelve pages, in every format: all of its words, its links, its references and its fonts, and a picture
 * of every page. With `CAIRN_GALLERY=1` the pictures are put into `docs/gallery`.
 */
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { officeText, readZip, sampleDocument } from "@cairn/testkit/documents";
import { findCommand } from "@cairn/testkit/system-package";
import katex from "katex";
import { marked } from "marked";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeOfficeFonts } from "../../test/office-fonts.ts";
import { pageImages, pdfFaces, pdfJumps, pdfLinks, pdfPages, pdfWords, printOffice } from "../../test/read-back.ts";
import { ChromiumRenderer } from "./chromium-renderer.ts";
import { EmbeddedRenderer } from "./embedded-renderer.ts";
import { readMarkdown } from "./markdown/read-markdown.ts";
import { allBlocks, allInlines } from "./model/walk.ts";
import {
  type ContentFormat,
  DEFAULT_OPTIONS,
  type DocumentTarget,
  type RenderedDocument,
} from "./renderer/document-renderer.ts";
import type { ThemeName } from "./renderer/theme.ts";

const sample = sampleDocument();
const embedded = new EmbeddedRenderer();
const chromium = new ChromiumRenderer();
const office = findCommand("soffice", "libreoffice-nogui");
const browser = findCommand("chromium-headless-shell");

const isGallery = process.env.CAIRN_GALLERY === "1";
/** Pixels of a page in the gallery; fewer for pages that the gallery does not show. */
const PAGE_WIDTH = isGallery ? 520 : 300;
const gallery = fileURLToPath(new URL("../../../../docs/gallery/", import.meta.url));

const supply = {
  image: async (src: string) => sample.images.get(src) ?? null,
  source: async (sid: number) => sample.sources.get(sid) ?? null,
};
function render(
  target: DocumentTarget,
  theme: ThemeName = "modern",
  format: ContentFormat = "markdown",
  content = sample.markdown,
): Promise<RenderedDocument> {
  const { author, date } = sample;
  const options = { ...DEFAULT_OPTIONS, author, date, theme, toc: true, width: 1_000 };
  const renderer = format === "html" ? chromium : embedded;
  return renderer.render({ target, format, content, options }, supply, new AbortController().signal);
}

const SOURCE_URLS = [...sample.sources.values()].flatMap(({ url }) => url ?? []);
const LINKS = [
  "https://example.org/energy/prices?scenario=low&year=2028&region=old-port#table-3",
  "https://example.org/minutes/2026-05-12",
];

/** Words of the content without right-to-left words and formulas, because pages show these in another order. */
function wordsOf(markdown: string): string[] {
  const document = readMarkdown(markdown);
  const texts = [...allInlines(document)].flatMap((inline) =>
    inline.kind === "text" || inline.kind === "code" ? [inline.text] : [],
  );
  const code = [...allBlocks(document)].flatMap((block) => (block.kind === "code" ? [block.text] : []));
  return [...texts, ...code]
    .flatMap((text) => text.split(/\s+/))
    .filter((word) =>
      /^[\x21-\x7e–—“”’€°²³]{3,}$|^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Greek}\p{Script=Cyrillic}]{2,}$/u.test(
        word,
      ),
    );
}
const WORDS: readonly string[] = wordsOf(sample.markdown);

/** Words that occur less often in the text than in the content. */
function lostWords(text: string, words = WORDS): string[] {
  const whole = text.normalize("NFKC").replace(/[\s\u200b\u00ad]+/g, "");
  const counts = Map.groupBy(words, (word) => word);
  return [...counts].flatMap(([word, all]) => {
    const wanted = word.normalize("NFKC");
    return whole.split(wanted).length - 1 >= all.length ? [] : [`${word} ×${all.length}`];
  });
}

/** Puts pages into the gallery under a heading of `docs/gallery/README.md`, in the order of the tests. */
function show(name: string, about: string, images: readonly Uint8Array[]): void {
  for (const image of images) expect(image.length).toBeGreaterThan(1_000);
  if (!isGallery) return;
  const lines = images.map((image, at) => {
    const file = `${name}-${String(at + 1).padStart(2, "0")}.png`;
    writeFileSync(join(gallery, file), image);
    return `![${name}, page ${at + 1}](${file})`;
  });
  appendFileSync(join(gallery, "README.md"), `\n## ${about}\n\n${lines.join("\n")}\n`);
}

const OPENING = `# Gallery

A report of twelve pages that uses everything [documents](../tools-documents.md) can have, in every format. The pages and this list are made by the tests: \`npm run gallery\`. The text is \`packages/testkit/src/documents/sample.md\`.
`;

beforeAll(() => {
  if (!isGallery) return;
  mkdirSync(gallery, { recursive: true });
  for (const file of readdirSync(gallery)) if (file.endsWith(".png")) rmSync(join(gallery, file));
  writeFileSync(join(gallery, "README.md"), OPENING);
});
afterAll(async () => {
  await embedded.close();
  await chromium.close();
});

describe("the sample as PDF", () => {
  it("has twelve pages, all words, links with the right targets, references and embedded fonts", async () => {
    const document = await render("pdf");
    expect(document).toMatchObject({
      pages: 12,
      missingImages: [],
      badImages: [],
      missingSids: [999],
      cited: [11, 14, 12, 13, 15],
    });
    const pages = await pdfPages(document.bytes);
    expect(pages).toHaveLength(12);
    expect(lostWords(pages.join("\n"))).toEqual([]);
    for (const [at, page] of pages.entries()) expect(page.replace(/\s+/g, " ")).toContain(`${at + 1} / 12`);
    const links = await pdfLinks(document.bytes);
    for (const url of [...LINKS, ...SOURCE_URLS]) expect(links).toContain(url);
    // Twenty entries of the contents, a link to a heading, and references that are cited ten times.
    expect(await pdfJumps(document.bytes)).toBeGreaterThan(28);
    const whole = pages.join(" ").replace(/\s+/g, " ");
    expect(whole).toMatch(/reasons are set out below ?\[1\]\./);
    expect(whole).toMatch(
      /Sources 1\. Heat plan of the Old Port.*2\. measurements-north-quay\.pdf.*5\. National programme/,
    );
    expect(whole).toContain("marked as such in the text [[S:999]]");
    // The long table repeats its header on every page.
    const tablePages = pages.filter((page) => /20(24|25|26)-\d\d-\d\d 1?\d/.test(page.replace(/\s+/g, " ")));
    expect(tablePages.length).toBeGreaterThan(1);
    for (const page of tablePages) expect(page.replace(/\s+/g, " ")).toContain("Data received");
    const { held, missing } = pdfFaces(document.bytes);
    expect(missing).toBe(0);
    expect(held).toBeGreaterThan(8);
    show("pdf", "PDF, from Markdown, by Typst, theme `modern`", await pageImages(document.bytes, PAGE_WIDTH));
  });

  it("is complete in the other themes too, and as one picture", async () => {
    for (const theme of ["classic", "plain"] as const) {
      const document = await render("pdf", theme);
      expect(lostWords((await pdfPages(document.bytes)).join("\n").replace(/-\n/g, ""))).toEqual([]);
      show(`theme-${theme}`, `PDF, theme \`${theme}\``, await pageImages(document.bytes, PAGE_WIDTH));
    }
    const picture = await render("png");
    const { width, height } = {
      width: Buffer.from(picture.bytes).readUInt32BE(16),
      height: Buffer.from(picture.bytes).readUInt32BE(20),
    };
    expect(width).toBe(1_000);
    expect(height).toBeGreaterThan(5_000);
    expect(picture.remarks).toEqual([]);
  });
});

describe("the sample as DOCX and PPTX", () => {
  it("keeps all words, Arabic and Hebrew too, links and notes, and opens in LibreOffice without loss", async ({
    skip,
  }) => {
    const files = new Map([
      ["sample.docx", (await render("docx")).bytes],
      ["slides.pptx", (await render("pptx")).bytes],
    ]);
    for (const [name, bytes] of files) {
      const text = officeText(bytes);
      expect([name, lostWords(text)]).toEqual([name, []]);
      expect(text).toContain("تستمد المضخة الحرارية الدفء من مياه البحر");
      expect(text).toContain("בחודש מאי מתחילה העבודה ברציף");
      expect(text).toContain("👩‍🔧");
      const parts = [...readZip(bytes)].filter(([part]) => part.endsWith(".rels"));
      const targets = parts.map(([, part]) => Buffer.from(part).toString("utf8")).join("\n");
      // The part after # is not compared, because Word stores it separately.
      for (const url of [...LINKS, ...SOURCE_URLS])
        expect(targets).toContain(url.replace(/#.*/, "").replaceAll("&", "&amp;"));
    }
    const [word = ""] = [...readZip(files.get("sample.docx") ?? new Uint8Array())]
      .filter(([part]) => part === "word/document.xml")
      .map(([, part]) => Buffer.from(part).toString("utf8"));
    const marks = new Set([...word.matchAll(/<w:bookmarkStart [^>]*w:name="([^"]+)"/g)].map(([, name]) => name));
    const jumps = [...word.matchAll(/<w:hyperlink (?![^>]*r:id)[^>]*w:anchor="([^"]+)"/g)].map(([, name]) => name);
    expect(jumps.length).toBeGreaterThan(25);
    expect(jumps.filter((name) => !marks.has(name))).toEqual([]);
    if (office.path === null) skip(office.reason);
    else {
      const fonts = writeOfficeFonts();
      const printed = printOffice(office.path, files, fonts);
      rmSync(dirname(fonts), { recursive: true });
      for (const [name, bytes] of printed) {
        const pages = await pdfPages(bytes);
        expect(pages.length).toBeGreaterThan(10);
        // A word that LibreOffice hyphenates or sets in ligatures is still the same word.
        expect([name, lostWords(pages.join("\n"))]).toEqual([name, []]);
        const cut = (await pdfWords(bytes)).filter(
          ({ x, y, width, pageWidth }) => x < 0 || y < 0 || x + width > pageWidth,
        );
        expect([name, cut]).toEqual([name, []]);
        const about = `${name.slice(-4).toUpperCase()}, as LibreOffice prints it, with Carlito in place of Calibri`;
        show(name.slice(-4), about, await pageImages(bytes, PAGE_WIDTH));
      }
    }
  });
});

describe("the sample as HTML", () => {
  it("is drawn by Chromium with all words, links and references", async ({ skip }) => {
    if (browser.path === null) return skip(browser.reason);
    // HTML has no footnotes and no `[!NOTE]`. Formulas are MathML, as in other pages of HTML.
    const plain = sample.markdown.replace(/\[\^\w+\](?:: .*)?/g, "").replace("[!NOTE]\n> ", "<b>Note.</b> ");
    const math = (displayMode: boolean) => (_: string, tex: string) =>
      katex
        .renderToString(tex.trim(), { output: "mathml", displayMode })
        // Removes the TeX source, which people may copy from MathML: Markdown would interpret marks in it.
        .replace(/<annotation[\s\S]*?<\/annotation>/g, "");
    const html = await marked(plain.replace(/\$\$([^$]+)\$\$/g, math(true)).replace(/\$([^$\n]+)\$/g, math(false)));
    const document = await render("pdf", "modern", "html", html);
    expect(document).toMatchObject({
      missingImages: [],
      badImages: [],
      missingSids: [999],
      cited: [11, 14, 12, 13, 15],
    });
    const pages = await pdfPages(document.bytes);
    expect(document.pages).toBe(pages.length);
    const whole = pages.join(" ").replace(/\s+/g, " ");
    const words = wordsOf(plain);
    // Inter has one glyph for some pairs of characters, and Chromium names it by the rarer one.
    expect(lostWords(whole.replaceAll("ɩ", "ι").replaceAll("ˮ", "”"), words)).toEqual([]);
    expect(whole).toMatch(/Contents Summary of findings.*Sources.*Heat plan of the Old Port.*National programme/);
    const links = await pdfLinks(document.bytes);
    for (const url of [...LINKS, ...SOURCE_URLS]) expect(links).toContain(url);
    const { held, missing } = pdfFaces(document.bytes);
    expect(missing).toBe(0);
    expect(held).toBeGreaterThan(5);
    show("html", "PDF, from HTML, by Chromium", await pageImages(document.bytes, PAGE_WIDTH));
    const picture = await render("png", "modern", "html", html);
    expect(Buffer.from(picture.bytes).readUInt32BE(16)).toBe(1_000);
  });
});
