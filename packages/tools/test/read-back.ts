/** For tests: reads documents back with other libraries than those that wrote them. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { extractLinks, extractText, getDocumentProxy } from "unpdf";
import { encodePng } from "../src/rendering/image/encode-png.ts";

/** The words of each page. */
export async function pdfPages(bytes: Uint8Array): Promise<readonly string[]> {
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return text;
}

/** Addresses that the PDF links to. */
export async function pdfLinks(bytes: Uint8Array): Promise<readonly string[]> {
  const { links } = await extractLinks(await getDocumentProxy(new Uint8Array(bytes)));
  return links;
}

/** Number of links that lead to a place in the document. */
export async function pdfJumps(bytes: Uint8Array): Promise<number> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  let jumps = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const annotations: readonly { readonly dest?: unknown }[] = await (await pdf.getPage(number)).getAnnotations();
    jumps += annotations.filter(({ dest }) => dest !== null && dest !== undefined).length;
  }
  return jumps;
}

export interface SetText {
  readonly text: string;
  readonly page: number;
  /** Distance from the left and from the bottom of the page, in points. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly pageWidth: number;
}

/** The positions of the words. */
export async function pdfWords(bytes: Uint8Array): Promise<readonly SetText[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const words: SetText[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const [left = 0, , right = 0] = page.view;
    for (const item of (await page.getTextContent()).items)
      if ("str" in item && item.str.trim() !== "") {
        const [, , , , x = 0, y = 0] = item.transform.map(Number);
        words.push({ text: item.str, page: number, x, y, width: item.width, pageWidth: right - left });
      }
  }
  return words;
}

/** Number of fonts that the PDF embeds, as files or drawn as shapes like emoji, and number that it only names. */
export function pdfFaces(bytes: Uint8Array): { readonly held: number; readonly missing: number } {
  const text = Buffer.from(bytes).toString("latin1");
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const held = count(/\/FontFile[23]?\s+\d+ \d+ R/g) + count(/\/Subtype\s*\/Type3\b/g);
  return { held, missing: Math.max(0, count(/\/Type\s*\/FontDescriptor\b/g) - held) };
}

/** Each page as a PNG of about this width. */
export async function pageImages(bytes: Uint8Array, width: number): Promise<readonly Uint8Array[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(bytes);
    const images: Uint8Array[] = [];
    for (const page of document.pages()) {
      const { originalWidth } = page.getOriginalSize();
      const { data, width: w, height } = await page.render({ scale: width / originalWidth, render: "bitmap" });
      images.push(encodePng(data, w, height));
    }
    document.destroy();
    return images;
  } finally {
    library.destroy();
  }
}

/** Documents as printed by LibreOffice, in one run. LibreOffice uses a new profile, so that concurrent runs work. */
export function printOffice(
  soffice: string,
  files: ReadonlyMap<string, Uint8Array>,
  fontConfig: string,
): Map<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "cairn-office-"));
  try {
    const printed = new Map<string, Uint8Array>();
    for (const [name, bytes] of files) {
      writeFileSync(join(folder, name), bytes);
      const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
      const { status, stderr } = spawnSync(
        soffice,
        [profile, "--headless", "--convert-to", "pdf", "--outdir", join(folder, "out"), join(folder, name)],
        {
          env: { ...process.env, FONTCONFIG_FILE: fontConfig, HOME: folder },
          encoding: "utf8",
          timeout: 110_000,
        },
      );
      if (status !== 0) throw new Error(`LibreOffice could not open ${name}: ${stderr}`);
      printed.set(name, readFileSync(join(folder, "out", basename(name).replace(/\.\w+$/, ".pdf"))));
    }
    return printed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
