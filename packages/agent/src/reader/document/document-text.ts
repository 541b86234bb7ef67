/**
 * The text of a document, with a line `[page n]`, `[sheet name]` or `[slide n]` before each of its parts. Runs in a
 * reader process. The format is recognised by the bytes, not by the file name.
 */
import { CairnError } from "@cairn/timeline/error";
import { decodeBytes } from "./charset.ts";
import type { DocumentFormat, DocumentText } from "./document.ts";
import { readDocx } from "./docx.ts";
import { readEpub } from "./epub.ts";
import { writeHtml } from "./html.ts";
import { readOdt } from "./odt.ts";
import { PartWriter } from "./part-writer.ts";
import { readPdf } from "./pdf.ts";
import { readPptx } from "./pptx.ts";
import { type ArchiveKind, ZipArchive } from "./zip-archive.ts";

/** Throws `unreadable`, or `too_large` for a document that exceeds the limits. Both errors give the reason. */
export async function documentText(bytes: Uint8Array, format: DocumentFormat): Promise<DocumentText> {
  switch (format) {
    case "pdf":
      return await readPdf(bytes);
    case "html": {
      const writer = new PartWriter();
      writer.fill(() => writeHtml(decodeBytes(bytes, undefined, true), writer, { hasTitle: true }));
      return finished(writer, "The page has no text.");
    }
    case "zip": {
      const archive = ZipArchive.open(bytes);
      return await readArchive(archive, archive.kind());
    }
  }
}

async function readArchive(archive: ZipArchive, kind: ArchiveKind): Promise<DocumentText> {
  const writer = new PartWriter();
  switch (kind) {
    case "docx":
      writer.fill(() => readDocx(archive, writer));
      return finished(writer, "The document has no text. It may hold pictures, which are not read.");
    case "odt":
      writer.fill(() => readOdt(archive, writer));
      return finished(writer, "The document has no text. It may hold pictures, which are not read.");
    case "pptx":
      writer.fill(() => readPptx(archive, writer));
      return finished(writer, "The slides have no text. They may hold pictures, which are not read.");
    case "epub":
      writer.fill(() => readEpub(archive, writer));
      return finished(writer, "The book has no text. It may hold pictures, which are not read.");
    case "xlsx": {
      const { readXlsx } = await import("./xlsx.ts");
      writer.fill(() => readXlsx(archive, writer));
      return finished(writer, "The sheets are empty.");
    }
    case "archive":
      throw new CairnError("unreadable", "The file is a ZIP archive, not a document. Unpack it and send its files.");
    case "other":
      throw new CairnError(
        "unreadable",
        "Office documents of this kind are not supported. Save it as DOCX, XLSX, PPTX, ODT or PDF.",
      );
  }
}

function finished(writer: PartWriter, whenEmpty: string): DocumentText {
  return writer.isEmpty ? { text: "", problem: whenEmpty } : { text: writer.text() };
}
