/**
 * The document model: readers (Markdown, HTML) produce it and back ends (Typst, DOCX, PPTX) render it.
 *
 * The model is plain data, so that it can be sent between processes. Texts are final: no markup, no entities, no
 * citation tokens. Readers limit nesting (`MAX_NESTED`), so that a back end may recurse.
 */
export interface RichDocument {
  /** Title of the document; null when neither the caller nor the content has one. */
  readonly title: string | null;
  readonly blocks: readonly DocumentBlock[];
  /** The footnotes in the order of their numbers, from 1. */
  readonly footnotes: readonly (readonly DocumentBlock[])[];
}

export type DocumentBlock =
  | HeadingBlock
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | ListBlock
  | TableBlock
  | { readonly kind: "code"; readonly language: string | null; readonly text: string }
  | { readonly kind: "quote"; readonly blocks: readonly DocumentBlock[] }
  | { readonly kind: "rule" }
  | { readonly kind: "page-break" }
  | { readonly kind: "math"; readonly tex: string }
  | ImageBlock;

interface HeadingBlock {
  readonly kind: "heading";
  /** The level of the heading, from 1 to 6. */
  readonly level: number;
  readonly children: readonly Inline[];
  /** The target of internal links (`#summary`); unique in the document. */
  readonly anchor: string;
}

export interface ListBlock {
  readonly kind: "list";
  readonly ordered: boolean;
  readonly start: number;
  readonly items: readonly ListItem[];
}

export interface ListItem {
  /** Whether a task is done; null for an item that is not a task. */
  readonly done: boolean | null;
  readonly blocks: readonly DocumentBlock[];
}

export interface TableBlock {
  readonly kind: "table";
  readonly align: readonly CellAlign[];
  readonly header: readonly (readonly Inline[])[];
  /** Every row has as many cells as the header. */
  readonly rows: readonly (readonly (readonly Inline[])[])[];
}

export type CellAlign = "left" | "center" | "right" | null;

interface ImageBlock {
  readonly kind: "image";
  readonly src: string;
  readonly alt: string;
  /** The caption below the picture; empty for none. */
  readonly caption: string;
  /** Width in CSS pixels, if the content specifies one. */
  readonly width: number | null;
}

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: Mark; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  | { readonly kind: "break" }
  | { readonly kind: "math"; readonly tex: string }
  | { readonly kind: "footnote"; readonly number: number }
  | { readonly kind: "citation"; readonly sids: readonly number[]; readonly token: string };

const MARKS = ["strong", "emphasis", "strike", "underline", "mark", "sub", "sup"] as const;
export type Mark = (typeof MARKS)[number];

/** Maximum nesting of blocks and inlines. Deeper content is lifted to the deepest allowed level. */
export const MAX_NESTED = { blocks: 8, inlines: 6 } as const;

export function isMark(inline: Inline): inline is Extract<Inline, { kind: Mark }> {
  return (MARKS as readonly string[]).includes(inline.kind);
}

export function plainText(inlines: readonly Inline[]): string {
  return inlines.map(inlineText).join("");
}

function inlineText(inline: Inline): string {
  switch (inline.kind) {
    case "text":
    case "code":
      return inline.text;
    case "break":
      return " ";
    case "math":
      return inline.tex;
    case "image":
      return inline.alt;
    case "footnote":
    case "citation":
      return "";
    default:
      return plainText(inline.children);
  }
}
