/**
 * Prepares HTML for a browser without network: scripts and everything that loads resources are removed, pictures are
 * embedded, citations become numbered references with a list of sources at the end. A page without styles gets default
 * ones.
 */
import { CairnError } from "@cairn/timeline/error";
import {
  type DomDocument,
  type DomElement,
  type DomNode,
  type DomText,
  isElement,
  isText,
  parsePage,
} from "../../html/dom.ts";
import { readDataUrl } from "../image/data-url.ts";
import { isDrawable, prepareImage } from "../image/prepare-image.ts";
import { splitCitations } from "../model/citation-tokens.ts";
import { type CitedSource, numberSids, type Reference } from "../model/cited.ts";
import { labelsOf } from "../model/labels.ts";
import type { Ask } from "../model/supplied.ts";
import type { RenderedDocument, RenderRequest } from "../renderer/document-renderer.ts";
import { type Theme, themeOf } from "../renderer/theme.ts";
import { citationSids } from "./inline-tag.ts";
import { addFront } from "./page-front.ts";
import { addedStyle, defaultStyle } from "./page-style.ts";
import { colourCode, directText, fitTables, keepLeads, keepLinks } from "./page-text.ts";

const REMOVED =
  "script,noscript,template,iframe,frame,frameset,object,embed,applet,base,meta[http-equiv],link,audio,video,source,track,portal";
const NO_CITATIONS: ReadonlySet<string> = new Set(["pre", "code", "style", "title", "textarea"]);

/** The self-contained page as UTF-8. `pages` is not known yet. */
export async function preparePage({ content, options, target }: RenderRequest, ask: Ask): Promise<RenderedDocument> {
  const page = parsePage(content);
  const theme = themeOf(options.theme);
  removeLoaders(page);
  if (page.body.textContent.trim() === "" && page.querySelector("img,svg") === null)
    throw new CairnError("document_empty", "The HTML contains no text and no picture, so there is nothing to render.");
  const pictures = [...page.querySelectorAll("img")];
  const cites = findCites(page);
  const wanted = new Set(
    pictures.map((image) => image.getAttribute("src") ?? "").filter((src) => readDataUrl(src) === null),
  );
  const sids = new Set(
    cites.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "citation" ? part.sids : []))),
  );
  const { images, sources } = await ask(wanted, sids);
  const labels = labelsOf(options.language);
  const badImages = placeImages(page, pictures, images, labels.noPicture);
  const references = placeReferences(page, cites, sources);
  if (references.length > 0) page.body.append(sourcesSection(page, references, labels.sources));
  addFront(page, options);
  directText(page);
  keepLinks(page);
  addStyle(page, theme, target === "png");
  nameDocument(page, options.title);
  page.documentElement.setAttribute("lang", page.documentElement.getAttribute("lang") ?? options.language);
  return {
    bytes: Buffer.from(page.toString()),
    pages: 0,
    cited: [...sids].filter((sid) => sources.has(sid)),
    missingImages: [...wanted].filter((src) => !images.has(src)),
    badImages,
    missingSids: [...sids].filter((sid) => !sources.has(sid)),
    remarks: [],
  };
}

function removeLoaders(page: DomDocument): void {
  for (const element of [...page.querySelectorAll(REMOVED)]) element.remove();
  for (const element of page.querySelectorAll("*"))
    for (const { name, value } of [...element.attributes]) {
      const isScript = /^on/i.test(name) || /^\s*javascript:/i.test(value);
      if (isScript || name === "srcset" || name === "background" || name === "ping") element.removeAttribute(name);
    }
}

/** Embeds pictures; a missing one is replaced by its alternative text. */
function placeImages(
  page: DomDocument,
  pictures: readonly DomElement[],
  images: ReadonlyMap<string, Uint8Array>,
  noPicture: string,
): RenderedDocument["badImages"] {
  const bad: { src: string; reason: string }[] = [];
  for (const element of pictures) {
    const src = element.getAttribute("src") ?? "";
    const bytes = readDataUrl(src) ?? images.get(src);
    const image = bytes === undefined ? undefined : prepareImage(bytes);
    if (isDrawable(image)) {
      const mime = image.format === "svg" ? "svg+xml" : image.format === "jpg" ? "jpeg" : image.format;
      element.setAttribute("src", `data:image/${mime};base64,${Buffer.from(image.bytes).toString("base64")}`);
      continue;
    }
    if (image !== undefined) bad.push({ src: src.slice(0, 200), reason: image.reason });
    const alt = (element.getAttribute("alt") ?? "").trim();
    const missing = page.createElement("span");
    missing.setAttribute("class", "cairn-missing");
    missing.textContent = alt === "" ? noPicture : `${noPicture}: ${alt}`;
    element.replaceWith(missing);
  }
  return bad;
}

interface Cite {
  readonly node: DomElement | DomText;
  readonly parts: ReturnType<typeof splitCitations>;
}

function findCites(page: DomDocument): Cite[] {
  const cites: Cite[] = [];
  const visit = (node: DomNode) => {
    for (const child of node.childNodes) {
      if (isText(child)) {
        const parts = splitCitations(child.textContent);
        if (parts.some(({ kind }) => kind === "citation")) cites.push({ node: child, parts });
      } else if (isElement(child) && !NO_CITATIONS.has(child.localName)) {
        const isCite = child.localName === "sup" && (child.getAttribute("class") ?? "").split(/\s+/).includes("cite");
        const sids = isCite ? citationSids({ sids: child.getAttribute("data-sids") }) : null;
        if (sids === null) visit(child);
        else cites.push({ node: child, parts: [{ kind: "citation", sids, token: `[[S:${sids.join(",")}]]` }] });
      }
    }
  };
  visit(page.body);
  return cites;
}

function placeReferences(
  page: DomDocument,
  cites: readonly Cite[],
  sources: ReadonlyMap<number, CitedSource>,
): Reference[] {
  const numbered = new Map<number, Reference>();
  for (const { node, parts } of cites) {
    const nodes = parts.map((part, at): DomElement | string => {
      if (part.kind !== "citation") {
        const next = parts[at + 1];
        const isCited = next?.kind === "citation" && next.sids.some((sid) => sources.has(sid));
        return part.kind === "text" ? (isCited ? part.text.trimEnd() : part.text) : "";
      }
      numberSids(part.sids, sources, numbered);
      const references = part.sids.flatMap((sid) => numbered.get(sid) ?? []).sort((a, b) => a.number - b.number);
      return references.length === 0 ? part.token : superscript(page, references);
    });
    node.replaceWith(...nodes);
  }
  return [...numbered.values()];
}

function superscript(page: DomDocument, references: readonly Reference[]): DomElement {
  const element = page.createElement("sup");
  element.setAttribute("class", "cairn-cite");
  references.forEach(({ number }, at) => {
    const link = page.createElement("a");
    link.setAttribute("href", `#cairn-source-${number}`);
    link.textContent = String(number);
    element.append(at === 0 ? "[" : ",", link);
  });
  element.append("]");
  return element;
}

function sourcesSection(page: DomDocument, references: readonly Reference[], label: string): DomElement {
  const section = page.createElement("section");
  section.setAttribute("class", "cairn-sources");
  const heading = page.createElement("h2");
  heading.textContent = label;
  const list = page.createElement("ol");
  for (const { number, title, url, detail } of references) {
    const item = page.createElement("li");
    item.setAttribute("id", `cairn-source-${number}`);
    const name = page.createElement(url === null ? "span" : "a");
    if (url !== null) name.setAttribute("href", url);
    name.textContent = title;
    item.append(name, detail === "" ? "" : ` · ${detail}`);
    list.append(item);
  }
  section.append(heading, list);
  return section;
}

/** Gives a page without a style sheet the default style. Style attributes of elements still take precedence. */
function addStyle(page: DomDocument, theme: Theme, isPicture: boolean): void {
  const isStyled = page.querySelector("style") !== null;
  if (!isStyled) {
    colourCode(page, theme);
    fitTables(page);
    keepLeads(page);
  }
  const style = page.createElement("style");
  style.textContent = `${isStyled ? "" : defaultStyle(theme, isPicture)}${addedStyle(theme, isPicture)}`;
  page.head.prepend(style);
}

/** The title of the file: from the caller, from the page, or from its heading. */
function nameDocument(page: DomDocument, title: string | null): void {
  const found = page.querySelector("title");
  const name = title ?? (found?.textContent.trim() || page.querySelector("h1")?.textContent.trim()) ?? "";
  if (name === "") return;
  const element = found ?? page.createElement("title");
  element.textContent = name;
  if (found === null) page.head.prepend(element);
}
