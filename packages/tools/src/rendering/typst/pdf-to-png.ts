/** The first page of a PDF as PNG, drawn by PDFium. The two libraries share no code but the file between them. */
import { crc32, deflateSync } from "node:zlib";
import type { PDFiumLibrary } from "@hyzyla/pdfium";
import { requirePart } from "../require-part.ts";

let opened: Promise<PDFiumLibrary> | null = null;

/** Loaded once: it takes longer to load than to draw a formula. */
function openLibrary(): Promise<PDFiumLibrary> {
  opened ??= requirePart(() => import("@hyzyla/pdfium"), "@hyzyla/pdfium").then((library) =>
    library.PDFiumLibrary.init(),
  );
  return opened;
}

/** `scale` is pixels a point. */
export async function pdfToPng(pdf: Uint8Array, scale: number): Promise<Uint8Array> {
  const document = await (await openLibrary()).loadDocument(pdf);
  try {
    const { data, width, height } = await document.getPage(0).render({ scale, render: "bitmap" });
    return encodePng(data, width, height);
  } finally {
    document.destroy();
  }
}

/** The height of the first page in points. */
export async function pdfHeight(pdf: Uint8Array): Promise<number> {
  const document = await (await openLibrary()).loadDocument(pdf);
  try {
    return document.getPage(0).getOriginalSize().originalHeight;
  } finally {
    document.destroy();
  }
}

/** Pixels of four bytes, of which the last says how opaque they are; documents are opaque. */
export function encodePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const stride = width * 3 + 1;
  const rows = Buffer.alloc(stride * height);
  for (let y = 0, from = 0; y < height; y++) {
    // Filter 0: deflate alone does well on text.
    for (let to = y * stride + 1; to < (y + 1) * stride; to += 3, from += 4) {
      rows[to] = pixels[from] ?? 0;
      rows[to + 1] = pixels[from + 1] ?? 0;
      rows[to + 2] = pixels[from + 2] ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
