/** Slides, filled from top to bottom. A section begins a slide; an overflow continues under the same title. */
import { isRightToLeft } from "../model/direction.ts";
import { type Inline, plainText } from "../model/document.ts";
import { drawable } from "../model/readable-text.ts";
import { textHeight } from "./measure.ts";
import { OpenSlide } from "./open-slide.ts";
import type { Presentation, Slide } from "./pptx-library.ts";
import { BODY, SIZE, SLIDE, TITLE } from "./slide-layout.ts";
import type { Piece, PieceContext } from "./slide-pieces.ts";
import { inlineRuns, paragraphRuns } from "./slide-text.ts";

export const CONTENT_MASTER = "CONTENT";
/** The layout of slides without a title, because an empty title placeholder would show a request to fill it in. */
export const UNTITLED_MASTER = "UNTITLED";
export const COVER_MASTER = "COVER";
/** The placeholder that presentation programs use for titles, in outlines and for screen readers. */
export const TITLE_PLACE = "title";
/** Minimum free height of a slide, in inches, in which a new element may start. */
const MIN_ROOM = 1.6;
const TOLERANCE = 0.05;
const BOLD = 1.07;
/** Position of the title on the first slide, in inches. */
export const COVER = { x: 1.1, y: 1.2, w: 11.1, h: 3.3 } as const;
const COVER_LINES = { x: 1.1, y: 4.95, w: 11.1, h: 1.9 } as const;
const COVER_SIZE = 18;
export const COVER_TITLE = 40;

/** The height needed below a piece that introduces others: that of the pieces it introduces, each up to `MIN_ROOM`. */
function followers(piece: Piece, queue: readonly Piece[]): number {
  let height = 0;
  for (let at = queue.length - 1, leads = piece.leads; leads === true && at >= 0 && height < BODY.h / 2; at--) {
    const next = queue[at];
    height += Math.min(next?.height ?? 0, MIN_ROOM);
    leads = next?.leads;
  }
  return height;
}

export class Deck {
  readonly #pptx: Presentation;
  readonly #context: PieceContext;
  slides = 0;

  constructor(pptx: Presentation, context: PieceContext) {
    this.#pptx = pptx;
    this.#context = context;
  }

  /** The lead is the text before the first section, if it is short. */
  cover(title: string, byline: string, lead: readonly (readonly Inline[])[]): void {
    const slide = this.#pptx.addSlide({ masterName: COVER_MASTER });
    this.slides++;
    const { heading, accent, muted, officeHeading, officeBody } = this.#context.theme;
    const isTurned = isRightToLeft(title);
    const align = isTurned ? "right" : "left";
    const size = fitting(title, [COVER_TITLE, 32, 26, 20, 15], {
      width: COVER.w,
      height: COVER.h,
      face: officeHeading,
    });
    slide.addShape("rect", { x: 0, y: 0, w: 0.28, h: SLIDE.h, fill: { color: accent }, line: { type: "none" } });
    slide.addText(drawable(title), {
      ...COVER,
      placeholder: TITLE_PLACE,
      objectName: "Title",
      margin: 0,
      rtlMode: isTurned,
      align,
      valign: "bottom",
      fontSize: size,
      bold: true,
      color: heading,
      fontFace: officeHeading,
    });
    const line = { x: isTurned ? COVER.x + COVER.w - 1.4 : COVER.x, y: 4.75, w: 1.4, h: 0.05 };
    slide.addShape("rect", { ...line, fill: { color: accent }, line: { type: "none" } });
    const small = { fontSize: COVER_SIZE, color: muted };
    const lines = [...(byline === "" ? [] : [[{ kind: "text" as const, text: byline }]]), ...lead];
    if (lines.length > 0)
      slide.addText(
        lines.flatMap((inlines) => paragraphRuns(inlines, this.#context, { ...small, align, rtlMode: isTurned })),
        { ...COVER_LINES, margin: 0, valign: "top", fontFace: officeBody },
      );
  }

  section(title: readonly Inline[], pieces: readonly Piece[]): void {
    let slide = new OpenSlide(this.#content(title, false), this.#context);
    const turn = () => {
      slide.close();
      slide = new OpenSlide(this.#content(title, true), this.#context);
    };
    const queue = [...pieces].reverse();
    let isBroken = false;
    for (let piece = queue.pop(); piece !== undefined; piece = queue.pop()) {
      if ("breaks" in piece && piece.breaks === true) {
        isBroken = true;
        continue;
      }
      if (isBroken && !slide.isEmpty) turn();
      isBroken = false;
      const { room, isEmpty } = slide;
      if (piece.height + followers(piece, queue) <= room + TOLERANCE) {
        slide.put(piece);
        continue;
      }
      // A piece that does not fit is moved rather than split, unless it would fill most of a slide anyway.
      const isParted = isEmpty || (room >= MIN_ROOM - 2 * TOLERANCE && piece.height > BODY.h * 0.6);
      const parts = isParted && "split" in piece ? (piece.split?.(room) ?? null) : null;
      if (parts === null && isEmpty) slide.put(piece);
      else if (parts === null) {
        turn();
        queue.push(piece);
      } else {
        slide.put(parts[0]);
        turn();
        queue.push(parts[1]);
      }
    }
    slide.close();
  }

  #content(title: readonly Inline[], continued: boolean): Slide {
    const text = plainText(title);
    const hasTitle = text.trim() !== "";
    const slide = this.#pptx.addSlide({ masterName: hasTitle ? CONTENT_MASTER : UNTITLED_MASTER });
    this.slides++;
    if (!hasTitle) return slide;
    const { labels, theme } = this.#context;
    const { heading, accent, muted, officeHeading } = theme;
    const isTurned = isRightToLeft(text);
    const note = continued ? `  (${labels.continued})` : "";
    const fontSize = fitting(text + note, [SIZE.title, 24, 20, 16, 13], {
      width: TITLE.w,
      height: TITLE.h,
      face: officeHeading,
    });
    const runs = inlineRuns(title, this.#context, { bold: true, color: heading, fontSize });
    if (note !== "") runs.push({ text: note, options: { color: muted, fontSize: Math.min(15, fontSize) } });
    slide.addText(runs, {
      ...TITLE,
      placeholder: TITLE_PLACE,
      objectName: "Title",
      margin: 0,
      align: isTurned ? "right" : "left",
      rtlMode: isTurned,
      valign: "bottom",
      fontFace: officeHeading,
    });
    const line = { x: isTurned ? TITLE.x + TITLE.w - 0.9 : TITLE.x, y: 1.25, w: 0.9, h: 0.04 };
    slide.addShape("rect", { ...line, fill: { color: accent }, line: { type: "none" } });
    return slide;
  }
}

/** The largest size at which a title fits, otherwise the smallest. */
function fitting(
  text: string,
  sizes: readonly number[],
  { width, height, face }: { readonly width: number; readonly height: number; readonly face: string },
): number {
  // Titles are bold, and therefore slightly wider than measured.
  const fits = (size: number) => textHeight(text, { size, width: width / BOLD, face }) <= height + TOLERANCE;
  return sizes.find(fits) ?? sizes.at(-1) ?? SIZE.title;
}
