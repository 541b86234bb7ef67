/** Slides, filled from top to bottom. A section begins a slide; what does not fit goes on under the same title. */
import { isRightToLeft } from "../model/direction.ts";
import { drawable } from "../model/readable-text.ts";
import type { Theme } from "../theme.ts";
import type { Presentation, Slide, TextRun } from "./pptx-library.ts";
import { BODY, SIZE, SLIDE, TITLE } from "./slide-layout.ts";
import type { Piece } from "./slide-pieces.ts";

export const CONTENT_MASTER = "CONTENT";
/** Inches worth beginning something in. */
const LEAST_ROOM = 1.6;
const TOLERANCE = 0.05;

/** What must stand below a piece that leads: the next one, and what that leads to in turn, or enough of it to begin. */
function followers(piece: Piece, queue: readonly Piece[]): number {
  let height = 0;
  for (let at = queue.length - 1, leads = piece.leads; leads === true && at >= 0 && height < BODY.h / 2; at--) {
    const next = queue[at];
    height += Math.min(next?.height ?? 0, LEAST_ROOM);
    leads = next?.leads;
  }
  return height;
}

export class Deck {
  readonly #pptx: Presentation;
  readonly #theme: Theme;
  slides = 0;

  constructor(pptx: Presentation, theme: Theme) {
    this.#pptx = pptx;
    this.#theme = theme;
  }

  cover(title: string, byline: string): void {
    const slide = this.#pptx.addSlide();
    this.slides++;
    const { heading, accent, muted, officeHeading, officeBody } = this.#theme;
    const align = isRightToLeft(title) ? "right" : "left";
    const size = title.length > 90 ? 32 : 40;
    slide.addShape("rect", { x: 0, y: 0, w: 0.28, h: SLIDE.h, fill: { color: accent }, line: { type: "none" } });
    const box = { x: 1.1, y: 1.9, w: 11.1, h: 2.6, margin: 0 };
    slide.addText(drawable(title), {
      ...box,
      align,
      valign: "bottom",
      fontSize: size,
      bold: true,
      color: heading,
      fontFace: officeHeading,
    });
    slide.addShape("rect", { x: 1.1, y: 4.75, w: 1.4, h: 0.05, fill: { color: accent }, line: { type: "none" } });
    if (byline !== "")
      slide.addText(drawable(byline), {
        x: 1.1,
        y: 4.95,
        w: 11.1,
        h: 0.5,
        margin: 0,
        align,
        fontSize: 16,
        color: muted,
        fontFace: officeBody,
      });
  }

  section(title: string, pieces: readonly Piece[]): void {
    let slide = this.#content(title, false);
    let y: number = BODY.y;
    const turn = () => {
      slide = this.#content(title, true);
      y = BODY.y;
    };
    const queue = [...pieces].reverse();
    for (let piece = queue.pop(); piece !== undefined; piece = queue.pop()) {
      const room = BODY.y + BODY.h - y;
      if (piece.height + followers(piece, queue) <= room + TOLERANCE) {
        piece.draw(slide, y);
        y += piece.height;
        continue;
      }
      const isTop = y <= BODY.y;
      // Half of it here and half on the next slide is worse than all of it there, unless it fills slides anyway.
      const parts = isTop || (room >= LEAST_ROOM && piece.height > BODY.h * 0.6) ? (piece.split?.(room) ?? null) : null;
      if (parts === null && isTop) {
        piece.draw(slide, y);
        y += piece.height;
      } else if (parts === null) {
        turn();
        queue.push(piece);
      } else {
        parts[0].draw(slide, y);
        turn();
        queue.push(parts[1]);
      }
    }
  }

  #content(title: string, continued: boolean): Slide {
    const slide = this.#pptx.addSlide({ masterName: CONTENT_MASTER });
    this.slides++;
    const { heading, accent, muted, officeHeading } = this.#theme;
    const runs: TextRun[] = [{ text: drawable(title), options: { bold: true, color: heading } }];
    if (continued && title !== "") runs.push({ text: "  (continued)", options: { color: muted, fontSize: 15 } });
    const align = isRightToLeft(title) ? "right" : "left";
    slide.addText(runs, {
      ...TITLE,
      margin: 0,
      align,
      valign: "middle",
      fontSize: title.length > 70 ? 21 : SIZE.title,
      fontFace: officeHeading,
    });
    slide.addShape("rect", { x: TITLE.x, y: 1.18, w: 0.9, h: 0.04, fill: { color: accent }, line: { type: "none" } });
    return slide;
  }
}
