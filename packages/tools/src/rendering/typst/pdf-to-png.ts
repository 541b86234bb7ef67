/** The first page of a PDF as PNG, rendered by PDFium. PDFium and Typst share only the file. */
import type { PDFiumLibrary } from "@hyzyla/pdfium";
import { encodePng } from "../image/encode-png.ts";
import { requirePart } from "../renderer/require-part.ts";

let opened: Promise<PDFiumLibrary> | null = null;

/** The library is loaded once, because loading takes longer than rendering a formula. */
function openLibrary(): Promise<PDFiumLibrary> {
  opened ??= requirePart(() => import("@hyzyla/pdfium"), "@hyzyla/pdfium").then((library) =>
    library.PDFiumLibrary.init(),
  );
  return opened;
}

/** `scale` is pixels per point. */
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
