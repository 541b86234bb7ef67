/** A slide that is being filled from top to bottom. Consecutive paragraphs share a box; shapes are separate. */
import type { Slide } from "./pptx-library.ts";
import { BODY } from "./slide-layout.ts";
import type { Piece, PieceContext } from "./slide-pieces.ts";
import { TextBox } from "./text-box.ts";

export class OpenSlide {
  readonly #slide: Slide;
  readonly #context: PieceContext;
  #y: number = BODY.y;
  #box: TextBox | null = null;

  constructor(slide: Slide, context: PieceContext) {
    this.#slide = slide;
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.#y <= BODY.y;
  }

  /** Height that is left on the slide, in inches. */
  get room(): number {
    return BODY.y + BODY.h - this.#y;
  }

  put(piece: Piece): void {
    if ("draw" in piece) {
      this.close();
      const above = piece.above ?? 0;
      if (this.isEmpty) this.#y -= above;
      piece.draw(this.#slide, this.#y + above);
    } else if (this.#box?.takes(piece.paragraph) === true) this.#box.add(piece.paragraph);
    else {
      this.close();
      this.#box = new TextBox(this.#slide, this.#context.theme, this.#context.properties, this.#y, piece.paragraph);
    }
    this.#y += piece.height;
  }

  /** Draws the pending box. Call it before leaving the slide. */
  close(): void {
    this.#box?.draw();
    this.#box = null;
  }
}
