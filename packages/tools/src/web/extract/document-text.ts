/** The text of a PDF, page by page, and of a Word document as markdown would have it. */
import { CairnError } from "@cairn/timeline/error";
import mammoth from "mammoth";
import { extractText, getDocumentProxy, getMeta } from "unpdf";
import { htmlPage } from "./html-page.ts";
import { type ExtractedPage, MOST_TEXT_CHARS } from "./page.ts";

const MOST_PAGES = 2_000;

/** Throws `unreadable`. */
export async function pdfText(bytes: Uint8Array): Promise<ExtractedPage> {
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    document = await getDocumentProxy(bytes, { stopAtErrors: false });
  } catch (error) {
    throw unreadable("PDF", error);
  }
  try {
    if (document.numPages > MOST_PAGES)
      throw unreadable("PDF", new Error(`it has ${document.numPages} pages, and at most ${MOST_PAGES} are read`));
    const { text } = await extractText(document, { mergePages: false });
    const facts = await getMeta(document).catch(() => null); // A PDF without a description is still a PDF.
    const info: Record<string, unknown> = facts?.info ?? {};
    const pages = text.map((page) => page.trim());
    const empty = pages.every((page) => page === "");
    return {
      text: pages
        .map((page, at) => `[Page ${at + 1}]\n${page}`)
        .join("\n\n")
        .slice(0, MOST_TEXT_CHARS),
      title: textOf(info.Title),
      author: textOf(info.Author),
      published: pdfDate(info.CreationDate),
      modified: pdfDate(info.ModDate),
      pages: document.numPages,
      problem: empty ? "The PDF holds no text: its pages are pictures." : undefined,
    };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Throws `unreadable`. */
export async function docxText(bytes: Uint8Array): Promise<ExtractedPage> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      // Pictures would be written into the page as text.
      { convertImage: mammoth.images.imgElement(async () => ({ src: "" })), includeEmbeddedStyleMap: false },
    );
    return { ...htmlPage(`<html><body>${value}</body></html>`, undefined), title: undefined };
  } catch (error) {
    throw unreadable("Word document", error);
  }
}

function unreadable(kind: string, error: unknown): CairnError {
  const why = error instanceof Error ? error.message.replace(/\.$/, "").slice(0, 200) : "an unknown error";
  return new CairnError("unreadable", `The ${kind} cannot be read: ${why}.`);
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/[\s\u0000-\u001f]+/g, " ")
    .trim()
    .slice(0, 300);
  return text === "" ? undefined : text;
}

/** `D:20240131120000+01'00'` */
function pdfDate(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, y, mo = "01", d = "01", h = "00", mi = "00", s = "00", zone = "Z"] =
    /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d'?\d\d)?/.exec(value) ?? [];
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${zone.replace(/^([+-]\d\d)'?/, "$1:")}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
