/** The text box that is being filled: consecutive paragraphs share it, so that an editor finds one text. */
import type { Theme } from "../renderer/theme.ts";
import type { Bullet, ParagraphProperties } from "./paragraph-properties.ts";
import type { Slide } from "./pptx-library.ts";
import { BODY } from "./slide-layout.ts";
import type { Run } from "./slide-text.ts";

/** A quote, which has a bar and its own box. */
export interface Quote {
  /** Indent of the paragraph's text, in inches. */
  readonly indent: number;
}

/** The mark of an item: a symbol, or its number in a list, which is identified by an object. */
type ItemMark =
  | { readonly kind: "sign"; readonly sign: string; readonly face: string }
  | { readonly kind: "number"; readonly number: number; readonly list: object };

export interface SlideParagraph {
  readonly runs: readonly Run[];
  /** Number of lists around the paragraph. A paragraph with a list mark does not count its own list. */
  readonly level: number;
  /** Distance from the left edge of the slide's body, in inches. */
  readonly indent: number;
  readonly hanging: number;
  /** Height of its lines in inches, and the space below. */
  readonly height: number;
  readonly after: number;
  readonly isTurned: boolean;
  readonly mark: ItemMark | null;
  readonly quote: Quote | null;
}

/** The numbering of a level, as presentation programs count. */
interface Counted {
  readonly list: object;
  readonly startAt: number;
  /** Whether the next item of the list automatically gets the next number. */
  isOpen: boolean;
}

export const QUOTE_STEP = 0.28;

export class TextBox {
  readonly #slide: Slide;
  readonly #theme: Theme;
  readonly #properties: ParagraphProperties;
  readonly #top: number;
  readonly #counted = new Map<number, Counted>();
  readonly #first: SlideParagraph;
  readonly #runs: Run[] = [];
  #height = 0;
  #after = 0;

  constructor(slide: Slide, theme: Theme, properties: ParagraphProperties, top: number, first: SlideParagraph) {
    this.#slide = slide;
    this.#theme = theme;
    this.#properties = properties;
    this.#top = top;
    this.#first = first;
    this.add(first);
  }

  /** Quotes are separate, and so is a second numbered list, which would continue the numbers of the first. */
  takes({ quote, isTurned, mark, level }: SlideParagraph): boolean {
    if (quote !== this.#first.quote) return false;
    if (quote !== null && isTurned !== this.#first.isTurned) return false;
    const counted = this.#counted.get(level);
    return mark?.kind !== "number" || counted === undefined || counted.list === mark.list;
  }

  add(paragraph: SlideParagraph): void {
    const { level, indent, hanging, after, isTurned, quote } = paragraph;
    const margin = indent - (quote?.indent ?? 0);
    const look = { level, margin, hanging, after, isTurned, bullet: this.#bulletOf(paragraph) };
    const [first, ...rest] = paragraph.runs;
    this.#runs.push({ ...first, options: { ...first?.options, ...this.#properties.carry(look) } }, ...rest);
    this.#height += this.#after + paragraph.height;
    this.#after = after;
  }

  draw(): void {
    const { quote, isTurned } = this.#first;
    const inset = quote?.indent ?? 0;
    const box = { x: BODY.x + (isTurned ? 0 : inset), y: this.#top, w: BODY.w - inset, h: this.#height };
    if (quote !== null) {
      const x = isTurned ? box.x + box.w + QUOTE_STEP / 2 : box.x - QUOTE_STEP / 2;
      const bar = { x, y: this.#top, w: 0.04, h: Math.max(0.2, this.#height) };
      this.#slide.addShape("rect", { ...bar, fill: { color: this.#theme.accent }, line: { type: "none" } });
    }
    const fontFace = this.#theme.officeBody;
    this.#slide.addText(this.#runs, { ...box, margin: 0, valign: "top", fontFace, fit: "none", wrap: true });
  }

  #bulletOf({ mark, level }: SlideParagraph): Bullet | null {
    const color = this.#theme.accent;
    for (const deeper of this.#counted.keys()) if (deeper > level) this.#counted.delete(deeper);
    if (mark?.kind !== "number") {
      // Bullets of deeper lists do not affect numbering; a paragraph may end the numbering of its list.
      for (const [at, counted] of this.#counted) if (mark === null || at === level) counted.isOpen = false;
      return mark === null ? null : { ...mark, color };
    }
    const before = this.#counted.get(level);
    const startAt = before?.isOpen === true ? before.startAt : mark.number;
    this.#counted.set(level, { list: mark.list, startAt, isOpen: true });
    return { kind: "number", startAt, face: this.#theme.officeBody, color };
  }
}
