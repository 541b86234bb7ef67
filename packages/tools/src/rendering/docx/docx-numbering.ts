/** Marks of lists. Every numbered list has its own definition, because Word would otherwise continue counting. */
import { AlignmentType, type INumberingOptions, LevelFormat } from "docx";

const STEP = 400;
const BULLETS = ["•", "–", "◦", "•", "–", "◦", "•", "–", "◦"];

export class DocxNumbering {
  readonly bullets = "bullets";
  readonly #ordered: { readonly reference: string; readonly level: number; readonly start: number }[] = [];
  readonly #colour: string;

  constructor(colour: string) {
    this.#colour = colour;
  }

  /** Defines a new numbered list and returns its reference. */
  ordered(level: number, start: number): string {
    const reference = `numbers-${this.#ordered.length + 1}`;
    this.#ordered.push({ reference, level, start: Math.max(0, start) });
    return reference;
  }

  options(): INumberingOptions {
    const style = (level: number) => ({
      paragraph: { indent: { start: (level + 1) * STEP, hanging: STEP } },
      run: { color: this.#colour },
    });
    const bullets = BULLETS.map((text, level) => ({
      level,
      format: LevelFormat.BULLET,
      text,
      alignment: AlignmentType.START,
      style: style(level),
    }));
    // A list defines all levels down to its own, as readers of the format expect.
    const numbered = this.#ordered.map(({ reference, level: own, start }) => ({
      reference,
      levels: Array.from({ length: own + 1 }, (_, level) => ({
        level,
        format: LevelFormat.DECIMAL,
        text: `%${level + 1}.`,
        start,
        alignment: AlignmentType.START,
        style: style(level),
      })),
    }));
    return { config: [{ reference: this.bullets, levels: bullets }, ...numbered] };
  }
}
