/**
 * The end of a terminal that is redrawn in place (the live rows), below lines that are written once. Each change is one
 * write, which terminals that can do so show at once. Nothing is drawn on the alternate screen, so that the
 * conversation stays in the scrollback.
 */
import type { Writable } from "node:stream";
import { widthOf } from "../draw/style.ts";

export type ScreenStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Rows at the end of the screen, and the position of the cursor in them. */
export interface Frame {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

const SYNC = "\x1b[?2026h";
const END_SYNC = "\x1b[?2026l";
const CLEAR_LINE_END = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const CLEAR_SCREEN = "\x1b[2J\x1b[H";
/** Text that streams in is drawn at most this often. */
const FRAME_MS = 30;

export class Screen {
  readonly #stream: ScreenStream;
  readonly #draw: () => Frame;
  #shown: Frame = { rows: [], row: 0, column: 0 };
  #timer: NodeJS.Timeout | null = null;
  #isOpen = false;
  readonly #onResize = () => this.#redraw(this.#toTop(this.columns));

  /** `draw` returns the live rows, at most `rows` of at most `width` columns. */
  constructor(stream: ScreenStream, draw: () => Frame) {
    this.#stream = stream;
    this.#draw = draw;
  }

  get columns(): number {
    return Math.max(20, this.#stream.columns ?? 80);
  }

  /** The columns to use: the last one stays free, where terminals differ about the cursor. */
  get width(): number {
    return this.columns - 1;
  }

  get rows(): number {
    return Math.max(6, this.#stream.rows ?? 24);
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#stream.on("resize", this.#onResize);
    this.#redraw("");
  }

  /** Removes the live rows; lines that are printed later follow the last one. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stream.off("resize", this.#onResize);
    this.#stopTimer();
    this.#stream.write(`${this.#toTop()}${CLEAR_BELOW}`);
    this.#shown = { rows: [], row: 0, column: 0 };
  }

  /** Writes lines above the live rows, for good. */
  print(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}${CLEAR_LINE_END}\r\n`).join("");
    if (this.#isOpen) this.#redraw(this.#toTop(), text);
    else this.#stream.write(text);
  }

  /** Draws the live rows again soon. */
  refresh(): void {
    if (!this.#isOpen || this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#redraw(this.#toTop()), FRAME_MS).unref();
  }

  /** Draws the live rows again now: a person should see keys at once. */
  refreshNow(): void {
    if (this.#isOpen) this.#redraw(this.#toTop());
  }

  clear(): void {
    if (this.#isOpen) this.#redraw(CLEAR_SCREEN);
  }

  #redraw(start: string, printed = ""): void {
    this.#stopTimer();
    const frame = this.#draw();
    const rows = frame.rows.map((row) => row + CLEAR_LINE_END).join("\r\n");
    const up = frame.rows.length - 1 - frame.row;
    const place = `\r${up > 0 ? `\x1b[${up}A` : ""}${frame.column > 0 ? `\x1b[${frame.column}C` : ""}`;
    this.#shown = frame;
    this.#stream.write(`${SYNC}${start}${printed}${rows}${CLEAR_BELOW}${place}${END_SYNC}`);
  }

  /**
   * Moves to the first live row. After a resize, `columns` is the new width: terminals break rows that have become too
   * long into several.
   */
  #toTop(columns?: number): string {
    const { rows, row, column } = this.#shown;
    const above = rows.slice(0, row);
    const up =
      columns === undefined
        ? row
        : above.reduce((sum, line) => sum + rowsOf(widthOf(line), columns), 0) + Math.floor(column / columns);
    return `\r${up > 0 ? `\x1b[${up}A` : ""}`;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function rowsOf(width: number, columns: number): number {
  return Math.max(1, Math.ceil(width / columns));
}
