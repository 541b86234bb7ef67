/** Documents without a browser: Markdown to every format, and HTML to formats that do not depend on its styles. */
import { ProcessPool, type ProcessPoolOptions } from "@cairn/agent";
import { EngineProcess } from "./engine/engine-process.ts";
import type {
  ContentFormat,
  DocumentRenderer,
  DocumentSupply,
  DocumentTarget,
  RenderedDocument,
  RenderRequest,
} from "./renderer/document-renderer.ts";
import { hasPart } from "./renderer/require-part.ts";
import { findFonts } from "./typst/fonts.ts";

const ENGINE_DEFAULTS: ProcessPoolOptions = {
  processes: 2,
  time: 60_000,
  memory: 1024 * 1024 * 1024,
  idle: 60_000,
};

/** Opens the pool of processes that make documents. */
export function openEngines(options: Partial<ProcessPoolOptions>): ProcessPool<EngineProcess> {
  return new ProcessPool({ ...ENGINE_DEFAULTS, ...options }, (limits) => new EngineProcess(limits));
}

export class EmbeddedRenderer implements DocumentRenderer {
  readonly #pool: ProcessPool<EngineProcess>;

  constructor(options: Partial<ProcessPoolOptions> = {}) {
    this.#pool = openEngines(options);
  }

  accepts(target: DocumentTarget, format: ContentFormat): boolean {
    return format === "markdown" || target === "docx" || target === "pptx";
  }

  render(request: RenderRequest, supply: DocumentSupply, signal: AbortSignal): Promise<RenderedDocument> {
    return this.#pool.use((engine) => engine.render(request, supply, signal), signal);
  }

  async describe(): Promise<{ readonly ok: boolean; readonly detail: string }> {
    const parts = ["@myriaddreamin/typst-ts-node-compiler", "@hyzyla/pdfium"].filter((name) => !hasPart(name));
    if (parts.length > 0)
      return {
        ok: false,
        detail: `PDF and PNG from Markdown need ${parts.join(" and ")}: npm install ${parts.join(" ")}`,
      };
    const { missing } = findFonts();
    if (missing.length === 0) return { ok: true, detail: "Typst with all fonts" };
    return { ok: true, detail: `Typst; fonts for some scripts are missing: npm install ${missing.join(" ")}` };
  }

  async close(): Promise<void> {
    this.#pool.close();
  }
}
