/**
 * `rendering_tools.write_pdf`, `write_png`, `write_docx`, `write_pptx`: Markdown or HTML becomes a file of the current
 * turn.
 *
 * The tools write to the timeline: notices (a path that was rewritten, files and sources that are missing), the digest,
 * and the file's block, which shows a PDF or picture to the model. Files that the content names are pulled first;
 * missing ones are left out of the document, and a notice says so. A failed call writes a notice and an error, and no
 * file.
 */
import {
  type AnyTool,
  defineTool,
  keepFile,
  type ProcessPoolOptions,
  type Scribe,
  type Settlement,
  type ToolContext,
} from "@cairn/agent";
import { CairnError, extractCitations, type Json, rewriteNotice, rewritePath } from "@cairn/timeline";
import { type ChromiumOptions, ChromiumRenderer } from "./chromium-renderer.ts";
import { detectFormat } from "./content-format.ts";
import { DocumentAssets } from "./document-assets.ts";
import { EmbeddedRenderer } from "./embedded-renderer.ts";
import {
  type ContentFormat,
  type DocumentRenderer,
  type DocumentTarget,
  type RenderedDocument,
  TARGETS,
} from "./renderer/document-renderer.ts";
import { optionsOf, paramsOf, type ToolParams } from "./tool-params.ts";

export interface RenderingOptions {
  /** The renderers; the first that accepts a job renders it. Default: the embedded engine, and Chromium for HTML. */
  readonly renderers?: readonly DocumentRenderer[];
  readonly embedded?: Partial<ProcessPoolOptions>;
  readonly chromium?: ChromiumOptions;
}

const WHAT: Readonly<Record<DocumentTarget, string>> = {
  pdf: "Make a PDF from Markdown or HTML: reports, letters, papers. Has math ($…$), footnotes ([^1]), code in colours and a table of contents.",
  png: "Make a picture (PNG) of Markdown or HTML, as one continuous page. For long documents use write_pdf.",
  docx: "Make a Word document (DOCX) from Markdown or HTML.",
  pptx: "Make slides (PPTX) from Markdown or HTML. Every heading of the first level begins a slide; what does not fit goes on on the next.",
};
const MAX_SOURCES = 1_000;
const MAX_NAMED = 20;
const TIMEOUT_MS = 150_000;

export function defaultRenderers({
  embedded,
  chromium,
}: Omit<RenderingOptions, "renderers"> = {}): readonly DocumentRenderer[] {
  return [new EmbeddedRenderer(embedded), new ChromiumRenderer(chromium)];
}

export function renderingTools(options: RenderingOptions = {}): readonly AnyTool[] {
  const renderers = options.renderers ?? defaultRenderers(options);
  return TARGETS.map((target) =>
    defineTool<ToolParams>({
      id: `rendering_tools.write_${target}`,
      description: WHAT[target],
      params: paramsOf[target],
      timeout: TIMEOUT_MS,
      traits: { label: { icon: "document", done: "Made", doing: "Make", shows: { params: ["path"], as: "file" } } },
      idempotent: true,
      run: (params, context) => write(target, params, context, renderers),
    }),
  );
}

async function write(
  target: DocumentTarget,
  params: ToolParams,
  context: ToolContext,
  renderers: readonly DocumentRenderer[],
): Promise<Settlement> {
  const place = rewritePath(withEnding(params.path, target), context.turnId);
  const notifyRewrite = (scribe: Scribe) => {
    if (place.physical === params.path) return;
    const { code, message, ...data } = rewriteNotice(params.path.slice(0, 500), place.physical);
    scribe.notice(code, message, data);
  };
  const format = params.format ?? detectFormat(params.content);
  const assets = new DocumentAssets(context);
  let document: RenderedDocument;
  try {
    await assets.pullMentions(params.content);
    const renderer = rendererFor(renderers, target, format);
    context.progress(`Making ${place.rel}`);
    document = await renderer.render(
      { target, format, content: params.content, options: optionsOf(params) },
      assets,
      context.signal,
    );
  } catch (error) {
    context.signal.throwIfAborted();
    if (!CairnError.is(error)) throw error;
    return (scribe) => {
      notifyRewrite(scribe);
      noteMissing(scribe, assets.missing, []);
      fail(scribe, error, place.physical);
    };
  }
  const cites = extractCitations(params.content, format).slice(0, MAX_SOURCES);
  const file = await keepFile(
    {
      logical: place.logical,
      physical: place.physical,
      bytes: document.bytes,
      visibility: "external",
      cites,
      seen: context.sourcesSeen,
    },
    context,
  );
  return (scribe) => {
    if (!file.claim())
      throw new CairnError(
        "superseded",
        `A later call wrote ${place.physical} already. The output of this call was discarded.`,
      );
    notifyRewrite(scribe);
    noteMissing(scribe, assets.missing, document.missingSids);
    noteRemarks(scribe, document);
    file.write(scribe);
  };
}

/** The path with the extension of its format: a PDF named `report` would be shown as text. */
function withEnding(path: string, target: DocumentTarget): string {
  return path.toLowerCase().endsWith(`.${target}`)
    ? path
    : `${path.replace(/\.(?:md|markdown|html?|txt)$/i, "")}.${target}`;
}

function rendererFor(
  renderers: readonly DocumentRenderer[],
  target: DocumentTarget,
  format: ContentFormat,
): DocumentRenderer {
  const found = renderers.find((renderer) => renderer.accepts(target, format));
  if (found !== undefined) return found;
  throw new CairnError("renderer_missing", `There is no renderer that makes ${target.toUpperCase()} from ${format}.`);
}

function noteMissing(scribe: Scribe, files: readonly string[], sids: readonly number[]): void {
  if (files.length > 0) {
    const message = `Not found, and left out of the document: ${named(files)}.`;
    scribe.notice("tool_call_error.missing_assets", message, { missing: files.slice(0, MAX_NAMED) });
  }
  if (sids.length > 0) {
    const message = `No source has these SIDs, and their citations stay as they are: ${named(sids.map(String))}.`;
    scribe.notice("tool_call_warning.missing_sources", message, { missing: sids.slice(0, MAX_NAMED) });
  }
}

function noteRemarks(scribe: Scribe, { badImages, remarks }: RenderedDocument): void {
  if (badImages.length > 0) {
    const message = `Pictures that could not be drawn: ${named(badImages.map(({ src, reason }) => `${src} (${reason})`))}.`;
    const data: Json = badImages.slice(0, MAX_NAMED).map(({ src, reason }) => ({ src, reason }));
    scribe.notice("tool_call_error.unreadable_assets", message, { unreadable: data });
  }
  for (const remark of remarks) scribe.notice("tool_call_warning.document", remark);
}

function fail(scribe: Scribe, { code, message }: CairnError, path: string): void {
  scribe.notice(code === "document_empty" ? "tool_result_error" : "tool_call_error", message, { path });
  scribe.fail({ code, message });
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
