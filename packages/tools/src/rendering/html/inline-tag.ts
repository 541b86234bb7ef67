/** HTML elements that change the style of a few words, and their meaning in the document model. */
import { extractCitations } from "@cairn/timeline/citations";
import { parsePage } from "../../html/dom.ts";
import type { Mark } from "../model/document.ts";

const MARK_OF_TAG: ReadonlyMap<string, Mark> = new Map([
  ["b", "strong"],
  ["strong", "strong"],
  ["i", "emphasis"],
  ["em", "emphasis"],
  ["cite", "emphasis"],
  ["var", "emphasis"],
  ["dfn", "emphasis"],
  ["s", "strike"],
  ["del", "strike"],
  ["strike", "strike"],
  ["u", "underline"],
  ["ins", "underline"],
  ["mark", "mark"],
  ["sub", "sub"],
  ["sup", "sup"],
]);

export const CODE_TAGS: ReadonlySet<string> = new Set(["code", "kbd", "samp", "tt"]);

export interface InlineTag {
  readonly name: string;
  readonly closing: boolean;
  readonly mark: Mark | null;
  readonly href: string;
  readonly src: string;
  readonly alt: string;
  /** `data-sids` of a `<sup class="cite">`; null for anything else. */
  readonly sids: string | null;
}

export function markOfTag(name: string): Mark | null {
  return MARK_OF_TAG.get(name) ?? null;
}

/** A single tag; null for a comment or anything else. */
export function readTag(html: string): InlineTag | null {
  const [, slash, written] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(html) ?? [];
  if (written === undefined) return null;
  const lower = written.toLowerCase();
  const name = CODE_TAGS.has(lower) ? "code" : lower;
  const plain = { name, closing: slash === "/", mark: markOfTag(name), href: "", src: "", alt: "", sids: null };
  if (slash === "/" || !/\s/.test(html)) return plain;
  const element = parsePage(`<body>${html}</body>`).querySelector(lower);
  const attribute = (key: string) => element?.getAttribute(key) ?? "";
  const isCite = name === "sup" && attribute("class").split(/\s+/).includes("cite");
  return {
    ...plain,
    href: attribute("href"),
    src: attribute("src"),
    alt: attribute("alt"),
    sids: isCite ? attribute("data-sids") : null,
  };
}

/** The SIDs of a `<sup class="cite" data-sids="1,3">`, parsed like the timeline does; null for another tag. */
export function citationSids({ sids }: Pick<InlineTag, "sids">): readonly number[] | null {
  if (sids === null) return null;
  const read = extractCitations(`[[S:${sids}]]`, "markdown");
  return read.length === 0 ? null : read;
}
