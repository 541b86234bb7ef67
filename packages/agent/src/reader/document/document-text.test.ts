/** Tests unusual and hostile documents: what their text is, and that they cannot harm the reader. */
import { readFile } from "node:fs/promises";
import { documentFixture, docxOf, zipOf } from "@cairn/testkit/fixtures";
import { bySize } from "@cairn/testkit/runs";
import fc from "fast-check";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { documentText } from "./document-text.ts";

const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (...targets: readonly (readonly [id: string, type: string, target: string])[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATION}/${type}" Target="${target}"/>`).join("")}</Relationships>`;

/** Writes another size into the directory of an archive. */
function declareSize(bytes: Uint8Array, name: string, size: number): void {
  const entry = Buffer.from(bytes).lastIndexOf(name) - 46;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect(view.getUint32(entry, true)).toBe(0x02014b50);
  view.setUint32(entry + 24, size, true);
}

const paragraph = (text: string, inside = "") => `<w:p>${inside}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const textOf = async (bytes: Uint8Array) => (await documentText(bytes, "zip")).text;
const failure = (bytes: Uint8Array) => expect(documentText(bytes, "zip")).rejects;

describe("the pages of a Word document", () => {
  const SOFT = "<w:r><w:lastRenderedPageBreak/></w:r>";
  const HARD = '<w:r><w:br w:type="page"/></w:r>';
  const stated = (pages: number) => ({ "docProps/app.xml": `<Properties><Pages>${pages}</Pages></Properties>` });

  it("begin at the breaks that the layout program recorded and that the author inserted", async () => {
    const body = [paragraph("one"), paragraph("two", SOFT), paragraph("three", HARD), paragraph("three again")];
    expect(await textOf(docxOf(body.join("")))).toBe(
      "[page 1]\none\n\n[page 2]\ntwo\n\n[page 3]\nthree\n\nthree again",
    );
  });

  it("are counted once where both breaks coincide", async () => {
    const body = `${paragraph("one")}<w:p>${HARD}</w:p>${paragraph("two", SOFT)}`;
    expect(await textOf(docxOf(body))).toBe("[page 1]\none\n\n[page 2]\ntwo");
  });

  it("have no numbers when there are more pages than recorded breaks", async () => {
    const body = `${paragraph("one")}${paragraph("two", HARD)}`;
    expect(await textOf(docxOf(body, stated(2)))).toBe("[page 1]\none\n\n[page 2]\ntwo");
    expect(await textOf(docxOf(body, stated(5)))).toBe("one\n\ntwo");
  });

  it("split a paragraph that contains a break", async () => {
    expect(await textOf(docxOf(`<w:p><w:r><w:t>before</w:t></w:r>${SOFT}<w:r><w:t>after</w:t></w:r></w:p>`))).toBe(
      "[page 1]\nbefore\n\n[page 2]\nafter",
    );
  });
});

it("a Word document shows its visible text only: no deleted text, no second copy of a text box", async () => {
  const body = [
    '<w:p><w:r><w:t xml:space="preserve">The price is </w:t></w:r><w:del><w:r><w:delText>five</w:delText></w:r></w:del>',
    "<w:ins><w:r><w:t>six</w:t></w:r></w:ins><w:r><w:tab/><w:t>euros</w:t></w:r></w:p>",
    "<w:p><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent></mc:Choice>",
    "<mc:Fallback><w:p><w:r><w:t>In a box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent></w:p>",
  ].join("");
  expect(await textOf(docxOf(body))).toBe("[page 1]\nThe price is six\teuros\n\nIn a box");
});

it("a table within a table becomes text of its cell", async () => {
  const cell = (content: string) => `<w:tc>${content}</w:tc>`;
  const inner = `<w:tbl><w:tr>${cell(paragraph("a"))}${cell(paragraph("b"))}</w:tr></w:tbl>`;
  const table = `<w:tbl><w:tr>${cell(paragraph("left"))}${cell(`${paragraph("right")}${inner}`)}</w:tr></w:tbl>`;
  expect(await textOf(docxOf(table))).toBe("[page 1]\n| left | right a, b |");
});

it("a line of a document cannot be mistaken for the beginning of a part", async () => {
  const text = await textOf(docxOf(`${paragraph("[page 9]")}${paragraph("[sheet Sales] is a sheet")}`));
  expect(text).toBe("[page 1]\n\\[page 9]\n\n\\[sheet Sales] is a sheet");
});

it("a formula that was never calculated is shown as itself", async () => {
  const sheet =
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>SUM(B1:C1)</f></c><c r="B1"><v>2</v></c><c r="XFD1"><v>3</v></c></row></sheetData></worksheet>';
  const book = zipOf({
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": relations(["r1", "officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml":
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sums" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relations(["r1", "worksheet", "worksheets/sheet1.xml"]),
    "xl/worksheets/sheet1.xml": sheet,
  });
  expect(await textOf(book)).toBe("[sheet Sums]\n| =SUM(B1:C1) | 2 | 3 |");
});

describe("files that other programs wrote in unusual ways", () => {
  const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const TWO_PAGES = "[page 1]\none\n\n[page 2]\ntwo";
  const body = `${paragraph("one")}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph("two")}`;
  const word = `<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`;
  const main = (name: string) => ({ "_rels/.rels": relations(["r1", "officeDocument", name]) });

  it("have the same pages and slides with other prefixes for namespaces", async () => {
    const other = word.replaceAll("w:", "ns0:").replace("xmlns:w=", "xmlns:ns0=");
    expect(await textOf(docxOf("", { "word/document.xml": other }))).toBe(TWO_PAGES);
    const slide = (text: string) => `<a:sld><a:p><a:t>${text}</a:t></a:p></a:sld>`;
    const slides = {
      "[Content_Types].xml": "<Types/>",
      ...main("ppt/presentation.xml"),
      "ppt/presentation.xml": `<p xmlns:ns2="${RELATION}"><sldId id="256" ns2:id="r2"/><sldId id="257" ns2:id="r1"/></p>`,
      "ppt/_rels/presentation.xml.rels": relations(["r1", "slide", "slides/a.xml"], ["r2", "slide", "slides/b.xml"]),
      "ppt/slides/a.xml": slide("second"),
      "ppt/slides/b.xml": slide("first"),
    };
    expect(await textOf(zipOf(slides))).toBe("[slide 1]\nfirst\n\n[slide 2]\nsecond");
  });

  it("are recognised by their content when their type is missing", async () => {
    expect(await textOf(zipOf({ "word/document.xml": word }))).toBe(TWO_PAGES);
    const types = `<Types><Override PartName="/doc/main.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
    const elsewhere = { "[Content_Types].xml": types, ...main("doc/main.xml"), "doc/main.xml": word };
    expect(await textOf(zipOf(elsewhere))).toBe(TWO_PAGES);
    const manifest = `<manifest:manifest><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/></manifest:manifest>`;
    const content = "<office:body><text:p>one</text:p></office:body>";
    expect(await textOf(zipOf({ "META-INF/manifest.xml": manifest, "content.xml": content }))).toContain("one");
  });

  it("are reported as a different kind when they are binary workbooks", async () => {
    const book = { "[Content_Types].xml": "<Types/>", ...main("xl/workbook.bin"), "xl/workbook.bin": "x" };
    await failure(zipOf(book)).toThrow(/of this kind are not supported/);
  });
});

it("a sheet whose rows are all beyond the limit is not reported as empty", async () => {
  const sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const far = '<row r="900000"><c r="B900000" t="inlineStr"><is><t>far</t></is></c></row>';
  const near = '<row r="1"><c r="A1"><v>1</v></c></row>';
  const text = await textOf(
    zipOf({
      "[Content_Types].xml":
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/a.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
      "_rels/.rels": relations(["r1", "officeDocument", "xl/workbook.xml"]),
      "xl/workbook.xml": `<workbook xmlns="${sheet}" xmlns:r="${RELATION}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": relations(["r1", "worksheet", "worksheets/a.xml"]),
      "xl/worksheets/a.xml": `<worksheet xmlns="${sheet}"><dimension ref="A1:B900000"/><sheetData>${near}${far}</sheetData></worksheet>`,
    }),
  );
  expect(text).toBe("[sheet A]\n| 1 |\n\n(Rows after row 200000 were not read.)");
});

it("the text of a page leaves out hidden elements", async () => {
  const html =
    '<p>shown</p><p style="color: red; display:none">a</p><p hidden>b</p><p style="Visibility: hidden">c</p>';
  expect((await documentText(Buffer.from(html), "html")).text).toBe("shown");
});

describe("a hostile file", () => {
  it("a hostile file that defines entities gets none of them expanded", async () => {
    const document = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><w:document><w:body>${paragraph("&b;&c;&amp;&#65;")}</w:body></w:document>`;
    expect(await textOf(docxOf("", { "word/document.xml": document }))).toBe("[page 1]\n&b;&c;&A");
  });

  it("a hostile file that unpacks to more than the limit is refused before it is unpacked", async () => {
    const bomb = zipSync({ "word/document.xml": new Uint8Array(1_000) });
    declareSize(bomb, "word/document.xml", 210_000_000);
    await failure(bomb).toMatchObject({ code: "too_large", message: expect.stringContaining("it unpacks to 210 MB") });
  });

  it("whose directory gives a false size is cut to that size or refused", async () => {
    const bytes = docxOf(paragraph("x".repeat(100_000)));
    declareSize(bytes, "word/document.xml", 500);
    const outcome = await documentText(bytes, "zip").then(
      ({ text }) => text.length,
      (error: { code: string }) => error.code,
    );
    expect(outcome === "unreadable" || Number(outcome) <= 500).toBe(true);
  });

  it("of very many entries is refused", async () => {
    const entries = Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`${at}`, new Uint8Array()]));
    await failure(zipSync(entries, { level: 0 })).toMatchObject({ code: "too_large" });
  });

  it("with more text than the limit gives its beginning, and says so", async () => {
    const body = paragraph("word ".repeat(100_000)).repeat(6);
    const text = await textOf(docxOf(body));
    expect(text.length).toBeLessThan(2_000_200);
    expect(text).toMatch(/\(The text is longer than 2000000 characters\. The rest of the file was not read\.\)$/);
  });

  it("is read when it is nested deeply, and refused when it is nested absurdly deep", async () => {
    const nested = (depth: number) => `${"<w:smartTag>".repeat(depth)}${"</w:smartTag>".repeat(depth)}`;
    expect(await textOf(docxOf(`${nested(5_000)}${paragraph("still here")}`))).toBe("[page 1]\nstill here");
    await failure(docxOf(nested(1_000_000))).toMatchObject({ code: "too_large" });
    await expect(documentText(Buffer.from("<b>".repeat(1_000_000)), "html")).rejects.toMatchObject({
      code: "too_large",
    });
  });

  it("a hostile file that refers outside the archive, or to itself, finds nothing there", async () => {
    const bytes = docxOf("", { "_rels/.rels": relations(["r1", "officeDocument", "../../../../etc/passwd"]) });
    await failure(bytes).toMatchObject({ code: "unreadable" });
  });

  it("a hostile file that is damaged anywhere is read, or refused with a reason", async () => {
    const names = ["Vertrag Müller.docx", "lease.odt", "lease.epub", "sales.xlsx", "talk.pptx"];
    const files = await Promise.all(names.map((name) => readFile(documentFixture(name))));
    const damage = fc.record({ file: fc.constantFrom(...files), at: fc.nat(), byte: fc.nat(255), cut: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(damage, fc.array(fc.nat(), { maxLength: 5 }), async ({ file, at, byte, cut }, more) => {
        const bytes = Uint8Array.from(file);
        for (const place of [at, ...more]) bytes[place % bytes.length] = byte;
        const given = cut === 0 ? bytes.subarray(0, at % bytes.length) : bytes;
        const outcome = await documentText(given, "zip").then(
          ({ text, problem }) => (text === "" ? typeof problem : "string"),
          (error: { code?: string; message: string }) => error.code ?? error.message,
        );
        expect(["string", "unreadable", "too_large"]).toContain(outcome);
      }),
      { numRuns: bySize({ quick: 60, usual: 150, long: 5_000 }) },
    );
  });
});
