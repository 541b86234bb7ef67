/** Makes a document from a request, inside the document process. */
import { CairnError } from "@cairn/timeline/error";
import { writeDocx } from "../docx/write-docx.ts";
import { preparePage } from "../html/prepare-page.ts";
import { readHtml } from "../html/read-html.ts";
import type { Assets } from "../image/assets.ts";
import { readDataUrl } from "../image/data-url.ts";
import { isDrawable, prepareImage } from "../image/prepare-image.ts";
import { readMarkdown } from "../markdown/read-markdown.ts";
import { numberSources } from "../model/cited.ts";
import type { RichDocument } from "../model/document.ts";
import type { Ask } from "../model/supplied.ts";
import { hasContent, withTitle } from "../model/title.ts";
import { allBlocks, allInlines } from "../model/walk.ts";
import { writePptx } from "../pptx/write-pptx.ts";
import type { RenderedDocument, RenderRequest } from "../renderer/document-renderer.ts";
import { type Drawn, drawPdf, drawPng } from "../typst/draw-typst.ts";
import { TypstCompiler } from "../typst/typst-compiler.ts";

let compiler: Promise<TypstCompiler> | null = null;
const openCompiler = () => {
  compiler ??= TypstCompiler.create();
  return compiler;
};

export async function makeDocument(request: RenderRequest, ask: Ask): Promise<RenderedDocument> {
  const { target, format } = request;
  if (format === "html" && (target === "pdf" || target === "png")) return await preparePage(request, ask);
  const document = readDocument(request);
  const { images: wanted, inlined, sids } = namedBy(document);
  const { images, sources } = await ask(wanted, sids);
  const prepared = new Map([...images, ...inlined].map(([src, bytes]) => [src, prepareImage(bytes)]));
  const references = numberSources(document, sources);
  const drawn = await draw(request, document, { images: prepared, references });
  const bad = [...prepared].flatMap(([src, image]) =>
    isDrawable(image) ? [] : [{ src: src.slice(0, 200), reason: image.reason }],
  );
  return {
    ...drawn,
    cited: [...references.keys()],
    badImages: [...bad, ...drawn.badImages],
    missingImages: [...wanted].filter((src) => !images.has(src)),
    missingSids: [...sids].filter((sid) => !sources.has(sid)),
  };
}

function readDocument({ content, format, options }: RenderRequest): RichDocument {
  const read = format === "html" ? readHtml(content) : readMarkdown(content);
  const document = withTitle(read, options.title);
  if (!hasContent(document.blocks) && document.title === null)
    throw new CairnError(
      "document_empty",
      "The document contains no text and no picture, so there is nothing to render.",
    );
  return document;
}

async function draw(request: RenderRequest, document: RichDocument, assets: Assets): Promise<Drawn> {
  const { target, options } = request;
  switch (target) {
    case "pdf":
    case "png": {
      const typst = await openCompiler();
      const drawn =
        target === "pdf" ? drawPdf(typst, document, assets, options) : await drawPng(typst, document, assets, options);
      typst.tidy();
      return drawn;
    }
    case "docx":
      return await writeDocx(document, assets, options, openCompiler);
    case "pptx":
      return await writePptx(document, assets, options, openCompiler);
  }
}

/** The pictures and sources that the content names; embedded pictures are already available. */
function namedBy(document: RichDocument): { images: Set<string>; inlined: Map<string, Uint8Array>; sids: Set<number> } {
  const images = new Set<string>();
  const inlined = new Map<string, Uint8Array>();
  const sids = new Set<number>();
  for (const each of [...allBlocks(document), ...allInlines(document)]) {
    if (each.kind === "image") {
      const bytes = readDataUrl(each.src);
      if (bytes === null) images.add(each.src);
      else inlined.set(each.src, bytes);
    }
    if (each.kind === "citation") for (const sid of each.sids) sids.add(sid);
  }
  return { images, inlined, sids };
}
