/** ZIP archives that exhaust programs that unpack them: plain ones, and office files and books, which are archives. */
import { crc32, deflateRawSync } from "node:zlib";
import type { HostileFile } from "./hostile-file.ts";

export function* hostileArchives(size: number): Generator<HostileFile> {
  const archive = (name: string, bytes: Buffer) => ({ name, mime: "application/octet-stream", bytes });
  // The reader reads these archives until it reaches its limits, so smaller ones do the same harm.
  const small = size / 20;
  const count = Math.min(60_000, size / 100);
  const entries = Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.txt`, new Uint8Array()]));
  yield { name: "bomb.zip", mime: "application/zip", bytes: zip({ "a.txt": Buffer.alloc(size * 10) }) };
  yield { name: "entries.zip", mime: "application/zip", bytes: zip(entries) };
  yield archive(
    "bomb.docx",
    office({ "word/document.xml": repeated("<w:p><w:r><w:t>x</w:t></w:r></w:p>", size * 10) }),
  );
  yield archive("deep.docx", office({ "word/document.xml": repeated("<w:tbl><w:tr><w:tc>", small) }));
  yield archive("bomb.xlsx", office({ "xl/sharedStrings.xml": repeated("<si><t>x</t></si>", size * 10) }));
  yield archive("cells.xlsx", cells());
  yield archive("slides.pptx", slides(small / 10));
  yield archive("spaces.odt", spaces(size));
  yield archive("chapters.epub", chapters(small / 10));
}

function repeated(piece: string, size: number): Buffer {
  return Buffer.alloc(size, piece);
}

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function relations(targets: Readonly<Record<string, string>>): Buffer {
  const all = Object.entries(targets).map(
    ([id, target]) =>
      `<Relationship Id="${id}" Type="${RELATIONS}/${id === "r1" ? "officeDocument" : "slide"}" Target="${target}"/>`,
  );
  return Buffer.from(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`,
  );
}

/** An office file; its first part is the main one. */
function office(parts: Readonly<Record<string, Uint8Array>>): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>';
  const [main = ""] = Object.keys(parts);
  return zip({ "[Content_Types].xml": Buffer.from(types), "_rels/.rels": relations({ r1: main }), ...parts });
}

/** A sheet with two cells as far from each other as possible, and a million merged cells. */
function cells(): Buffer {
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/>
<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData>
<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(1_000)}</mergeCells></worksheet>`;
  const book = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"><sheets><sheet name="a" sheetId="1" r:id="s1"/></sheets></workbook>`;
  const related = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;
  return office({
    "xl/workbook.xml": Buffer.from(book),
    "xl/_rels/workbook.xml.rels": Buffer.from(related),
    "xl/worksheets/sheet1.xml": Buffer.from(sheet),
  });
}

/** Ten thousand slides that all refer to the same large part. */
function slides(size: number): Buffer {
  const order = '<p:sldId id="1" r:id="r2"/>'.repeat(10_000);
  return office({
    "ppt/presentation.xml": Buffer.from(`<p:presentation><p:sldIdLst>${order}</p:sldIdLst></p:presentation>`),
    "ppt/_rels/presentation.xml.rels": relations({ r2: "slides/slide1.xml" }),
    "ppt/slides/slide1.xml": repeated("<p:sp><a:p><a:r><a:t>x</a:t></a:r></a:p></p:sp>", size),
  });
}

/** Blanks, cells and rows that are each repeated a billion times. */
function spaces(size: number): Buffer {
  const many = "1000000000";
  const piece = `<text:p><text:s text:c="${many}"/>x</text:p><table:table><table:table-row table:number-rows-repeated="${many}"><table:table-cell table:number-columns-repeated="${many}"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`;
  return zip({
    mimetype: Buffer.from("application/vnd.oasis.opendocument.text"),
    "content.xml": repeated(piece, size),
  });
}

/** Ten thousand chapters that all refer to the same large file. */
function chapters(size: number): Buffer {
  const order = '<itemref idref="c"/>'.repeat(10_000);
  return zip({
    mimetype: Buffer.from("application/epub+zip"),
    "META-INF/container.xml": Buffer.from(
      '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
    ),
    "a.opf": Buffer.from(
      `<package><manifest><item id="c" href="c.xhtml"/></manifest><spine>${order}</spine></package>`,
    ),
    "c.xhtml": repeated("<p>x</p><div>", size),
  });
}

function zip(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(files)) {
    const packed = deflateRawSync(bytes, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, place, Buffer.from(name));
    const body = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), fields, Buffer.from(name), packed]);
    bodies.push(body);
    offset += body.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listed, end]);
}
