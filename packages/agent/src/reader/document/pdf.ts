/** The text of a PDF, page by page. */
import { CairnError } from "@cairn/timeline/error";
import { getDocumentProxy, getMeta } from "unpdf";
import type { DocumentText } from "./document.ts";
import { PartWriter } from "./part-writer.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

const MAX_PAGES = 5_000;

export async function readPdf(bytes: Uint8Array): Promise<DocumentText> {
  const document = await open(bytes);
  try {
    const pages = document.numPages;
    if (pages > MAX_PAGES) throw new CairnError("too_large", `The PDF has ${pages} pages; the limit is ${MAX_PAGES}.`);
    const texts: string[] = [];
    for (let page = 1; page <= pages; page++) texts.push(await pageText(document, page));
    const writer = new PartWriter();
    writer.fill(() => {
      for (const [at, text] of texts.entries()) {
        writer.part({ page: at + 1 });
        writer.paragraph(text);
      }
    });
    const facts = { pages, ...(await factsOf(document)) };
    if (!writer.isEmpty) return { text: writer.text(), ...facts };
    const problem = "The PDF has no text: its pages are pictures, as in a scan. Text in pictures is not recognised.";
    return { text: "", problem, ...facts };
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    // The library takes ownership of the buffer, so it gets a copy.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, stopAtErrors: false });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (error.name === "PasswordException")
      throw new CairnError("unreadable", "The PDF is encrypted and needs a password. Send a copy without one.");
    const why = error.message.replace(/\.$/, "").slice(0, 200);
    throw new CairnError("unreadable", `The PDF is damaged or was not sent completely: ${why}.`);
  }
}

/** A larger distance between two lines, as a multiple of the letters' height, begins a new paragraph. */
const PARAGRAPH_GAP = 1.7;
/** A larger change of the letters' height, as a factor, begins a new paragraph: a heading or a footnote. */
const HEIGHT_CHANGE = 1.15;

interface PlacedText {
  readonly y: number;
  readonly height: number;
}

function isApart(above: PlacedText, below: PlacedText): boolean {
  const [small, large] = [Math.min(above.height, below.height), Math.max(above.height, below.height)];
  return above.y - below.y > PARAGRAPH_GAP * large || large > HEIGHT_CHANGE * small;
}

async function pageText(document: PdfDocument, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  let text = "";
  let above: PlacedText | null = null;
  for (const item of items) {
    if (!("str" in item)) continue;
    const [y, height] = [Number(item.transform[5]), item.height];
    if (item.str.trim() !== "") {
      if (above !== null && text.endsWith("\n") && isApart(above, { y, height })) text += "\n";
      above = { y, height };
    }
    text += `${item.str}${item.hasEOL ? "\n" : ""}`;
  }
  return text;
}

async function factsOf(document: PdfDocument): Promise<Omit<DocumentText, "text">> {
  const facts = await getMeta(document).catch(() => null); // A PDF without metadata is still readable.
  const info: Record<string, unknown> = facts?.info ?? {};
  return {
    title: lineOf(info.Title),
    author: lineOf(info.Author),
    published: dateOf(info.CreationDate),
    modified: dateOf(info.ModDate),
  };
}

function lineOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .replace(/[\s\u0000-\u001f]+/g, " ")
    .trim()
    .slice(0, 300)
    .toWellFormed();
  return text === "" ? undefined : text;
}

/** Reads a PDF date, such as `D:20240131120000+01'00'`. */
function dateOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, y, mo = "01", d = "01", h = "00", mi = "00", s = "00", zone = "Z"] =
    /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d'?\d\d)?/.exec(value) ?? [];
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}${zone.replace(/^([+-]\d\d)'?/, "$1:")}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
