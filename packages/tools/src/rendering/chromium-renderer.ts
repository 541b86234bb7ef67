/** HTML as PDF and PNG, drawn by Chromium. `html/prepare-page.ts` makes the page self-contained first. */
import { addAbortListener } from "node:events";
import { Places, type ProcessPool } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Browser, Page } from "playwright-core";
import { SharedBrowser } from "./chromium/browser.ts";
import { findChromium, HOW_TO_INSTALL } from "./chromium/find-chromium.ts";
import { openEngines } from "./embedded-renderer.ts";
import type { EngineProcess } from "./engine/engine-process.ts";
import type {
  ContentFormat,
  DocumentOptions,
  DocumentRenderer,
  DocumentSupply,
  DocumentTarget,
  RenderedDocument,
  RenderRequest,
} from "./renderer/document-renderer.ts";
import { pagePoints } from "./renderer/page-size.ts";
import { hasPart } from "./renderer/require-part.ts";

export interface ChromiumOptions {
  /** A path or a name; default: found on the machine. */
  readonly executable?: string;
  /** Maximum milliseconds for a document. */
  readonly time?: number;
  /** Maximum bytes of the whole browser. */
  readonly memory?: number;
  readonly idle?: number;
  /** Number of documents rendered at the same time. */
  readonly pages?: number;
}

const ADDRESS = "http://document.invalid/";
const TALLEST = 16_000;
const POINTS_A_PIXEL = 0.75;
/** The foot of a page. Chromium fills in the elements with these classes. */
const FOOTER = `<div style="display:flex;gap:10mm;width:100%;padding:0 20mm;font:10px Inter,Arial,sans-serif;color:#627d98">
<span class="title" style="flex:1;overflow:hidden;white-space:nowrap;text-overflow:ellipsis"></span>
<span><span class="pageNumber"></span> / <span class="totalPages"></span></span></div>`;

export class ChromiumRenderer implements DocumentRenderer {
  readonly #pool: ProcessPool<EngineProcess>;
  readonly #browser: SharedBrowser;
  readonly #options: Required<Omit<ChromiumOptions, "executable">> & Pick<ChromiumOptions, "executable">;
  readonly #places: Places;

  constructor(options: ChromiumOptions = {}) {
    this.#options = { time: 60_000, memory: 1536 * 1024 * 1024, idle: 15_000, pages: 2, ...options };
    const { time, executable, memory, idle } = this.#options;
    this.#places = new Places(this.#options.pages);
    this.#pool = openEngines({ time, processes: 1, idle });
    this.#browser = new SharedBrowser({ memory, idle, ...(executable === undefined ? {} : { executable }) });
  }

  accepts(target: DocumentTarget, format: ContentFormat): boolean {
    return format === "html" && (target === "pdf" || target === "png");
  }

  async render(request: RenderRequest, supply: DocumentSupply, signal: AbortSignal): Promise<RenderedDocument> {
    if (findChromium(this.#options.executable) === null) throw new CairnError("renderer_missing", HOW_TO_INSTALL);
    const prepared = await this.#pool.use((engine) => engine.render(request, supply, signal), signal);
    await this.#places.enter(signal);
    try {
      signal.throwIfAborted();
      const html = Buffer.from(prepared.bytes).toString("utf8");
      return { ...prepared, ...(await this.#browser.use((browser) => this.#draw(browser, html, request, signal))) };
    } finally {
      this.#places.leave();
    }
  }

  async describe(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    const executable = findChromium(this.#options.executable);
    const ok = executable !== null && hasPart("playwright-core");
    return { ok, detail: ok ? `Chromium at ${executable}` : HOW_TO_INSTALL };
  }

  async close(): Promise<void> {
    this.#pool.close();
    await this.#browser.close();
  }

  async #draw(
    browser: Browser,
    html: string,
    { target, options }: RenderRequest,
    signal: AbortSignal,
  ): Promise<Pick<RenderedDocument, "bytes" | "pages" | "remarks">> {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    // The promise may be rejected when nothing waits for it any more.
    stopped.catch(() => undefined);
    const late = () => reject(tooSlow(this.#options.time));
    const timer = setTimeout(late, this.#options.time);
    using _ = addAbortListener(signal, () => reject(signal.reason));
    const width = Math.round(
      target === "png" ? Math.min(options.width, 1_000) : pagePoints(options).width / POINTS_A_PIXEL,
    );
    const opening = browser.newContext({
      javaScriptEnabled: false,
      serviceWorkers: "block",
      acceptDownloads: false,
      viewport: { width, height: 1_000 },
      deviceScaleFactor: target === "png" ? options.width / width : 1,
    });
    try {
      const context = await Promise.race([opening, stopped]);
      const page = await Promise.race([context.newPage(), stopped]);
      await context.route("**/*", (route) => {
        const isPage = route.request().url() === ADDRESS && route.request().isNavigationRequest();
        const answer = { status: 200, contentType: "text/html; charset=utf-8", body: html };
        return isPage ? route.fulfill(answer) : route.abort("blockedbyclient");
      });
      await Promise.race([page.goto(ADDRESS, { waitUntil: "load", timeout: 0 }), stopped]);
      return await Promise.race([target === "pdf" ? printPdf(page, html, options) : takePicture(page), stopped]);
    } finally {
      clearTimeout(timer);
      // A page that hangs does not close, and a page that is still opening is closed later. Nothing waits for either.
      opening.then((context) => context.close()).catch(() => undefined);
    }
  }
}

async function printPdf(
  page: Page,
  html: string,
  options: DocumentOptions,
): Promise<{ bytes: Uint8Array; pages: number; remarks: [] }> {
  const { width, height } = pagePoints(options);
  // A page with its own print settings keeps them.
  const ownPage = /@page\b/.test(html);
  const footer = options.pageNumbers && !ownPage;
  const bytes = await page.pdf({
    width: `${width / POINTS_A_PIXEL}px`,
    height: `${height / POINTS_A_PIXEL}px`,
    printBackground: true,
    preferCSSPageSize: ownPage,
    tagged: true,
    outline: true,
    ...(ownPage ? {} : { margin: { top: "20mm", bottom: "22mm", left: "20mm", right: "20mm" } }),
    displayHeaderFooter: footer,
    headerTemplate: "<span></span>",
    footerTemplate: FOOTER,
  });
  return { bytes, pages: countPages(bytes), remarks: [] };
}

async function takePicture(page: Page): Promise<{ bytes: Uint8Array; pages: number; remarks: string[] }> {
  const box = await page.locator("html").boundingBox();
  const height = Math.ceil(box?.height ?? 1_000);
  const isCut = height > TALLEST;
  const viewport = page.viewportSize();
  const clip = { x: 0, y: 0, width: viewport?.width ?? 1_000, height: Math.min(height, TALLEST) };
  const bytes = await page.screenshot({ type: "png", fullPage: true, clip, animations: "disabled", timeout: 0 });
  const remarks = isCut
    ? [`The page is too long for one picture: only its first ${TALLEST} pixels are shown. Use PDF for all of it.`]
    : [];
  return { bytes, pages: 1, remarks };
}

/** The count at the root of the page tree, which is the largest count in the file. */
function countPages(pdf: Uint8Array): number {
  const text = Buffer.from(pdf).toString("latin1");
  const counts = [...text.matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count));
  const listed = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return Math.max(1, listed, ...counts.filter((count) => count <= Math.max(1, listed)));
}

function tooSlow(time: number): CairnError {
  return new CairnError(
    "document_too_complex",
    `The document cannot be made: it took longer than ${time / 1000} s. Make it smaller or simpler.`,
  );
}
