/**
 * The end of a terminal that is redrawn in place (the live rows), below lines that are written once. Each change is one
 * write, with codes that make terminals show it in one step. The alternate screen is not used, so that the conversation
 * stays in the scrollback.
 */
import type { Writable } from "node:stream";
import { widthOf } from "../draw/style.ts";

export type ScreenStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly getWindowSize?: () => [columns: number, rows: number];
};

/** Rows at the end of the screen, and the position of the cursor in them. */
export interface Frame {
  /** Lines above the rows that became final since the last frame. They are written once. */
  readonly finished?: readonly string[];
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

const EMPTY: Frame = { rows: [], row: 0, column: 0 };
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
  #shown: Frame = EMPTY;
  /** The width of the terminal when `shown` was drawn. */
  #shownColumns = 0;
  #timer: NodeJS.Timeout | null = null;
  #isOpen = false;
  readonly #onResize = () => this.refreshNow();

  /** `draw` returns the live rows, at most `rows` of at most `width` columns. */
  constructor(stream: ScreenStream, draw: () => Frame) {
    this.#stream = stream;
    this.#draw = draw;
  }

  /** The usable columns, without the last one, in which terminals handle the cursor differently. */
  get width(): number {
    return this.#size[0] - 1;
  }

  get rows(): number {
    return this.#size[1];
  }

  /** Asks the terminal itself for its size, because the process may learn of a change later. */
  get #size(): readonly [columns: number, rows: number] {
    const [columns, rows] = this.#stream.getWindowSize?.() ?? [this.#stream.columns ?? 80, this.#stream.rows ?? 24];
    return [Math.max(20, columns), Math.max(6, rows)];
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#stream.on("resize", this.#onResize);
    this.#redraw();
  }

  /** Removes the live rows; lines that are printed later follow the last one. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stream.off("resize", this.#onResize);
    this.#stopTimer();
    this.#stream.write(`${this.#toTop()}${CLEAR_BELOW}`);
    this.#shown = EMPTY;
  }

  /** Writes lines above the live rows. They do not change afterwards. */
  print(lines: readonly string[]): void {
    const text = toText(lines);
    if (this.#isOpen) this.#redraw(text);
    else this.#stream.write(text);
  }

  /** Draws the live rows again soon. */
  refresh(): void {
    if (this.#isOpen) this.#timer ??= setTimeout(() => this.#redraw(), FRAME_MS).unref();
  }

  /** Draws the live rows at once, because a person should see pressed keys without delay. */
  refreshNow(): void {
    if (this.#isOpen) this.#redraw();
  }

  clear(): void {
    if (!this.#isOpen) return;
    this.#stream.write(CLEAR_SCREEN);
    this.#shown = EMPTY;
    this.#redraw();
  }

  #redraw(before = ""): void {
    this.#stopTimer();
    const frame = this.#draw();
    const printed = before + toText(frame.finished ?? []);
    const [columns] = this.#size;
    const isSame = printed === "" && columns === this.#shownColumns;
    const first = isSame ? firstChange(this.#shown.rows, frame.rows) : 0;
    const rows = frame.rows.slice(first).map((row) => row + CLEAR_LINE_END);
    const start = isSame ? this.#toRow(first) : this.#toTop() + printed;
    const last = Math.max(frame.rows.length, first) - 1;
    const place = `\r${up(last - frame.row)}${frame.column > 0 ? `\x1b[${frame.column}C` : ""}`;
    this.#shown = frame;
    this.#shownColumns = columns;
    this.#stream.write(`${SYNC}${start}${rows.join("\r\n")}${CLEAR_BELOW}${place}${END_SYNC}`);
  }

  /** Moves to the start of a live row, or of the row after the last one. */
  #toRow(to: number): string {
    const { rows, row } = this.#shown;
    if (to < row) return `\r${up(row - to)}`;
    const down = Math.min(to, rows.length - 1) - row;
    return `\r${down > 0 ? `\x1b[${down}B` : ""}${to > 0 && to === rows.length ? "\r\n" : ""}`;
  }

  /**
   * Moves to the first live row. After a resize, terminals break rows that have become too long. All rows are then
   * cleared, because a terminal may remember the breaks and join the rows at the next resize.
   */
  #toTop(): string {
    const { rows, row, column } = this.#shown;
    const [columns] = this.#size;
    if (columns === this.#shownColumns) return `\r${up(row)}`;
    const above = rows.slice(0, row).reduce((sum, line) => sum + rowsOf(widthOf(line), columns), 0);
    return `\r${up(above + Math.floor(column / columns))}${CLEAR_BELOW}`;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}${CLEAR_LINE_END}\r\n`).join("");
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

/** The first row that differs, or the last row if none differs, so that at least one row is drawn. */
function firstChange(shown: readonly string[], next: readonly string[]): number {
  const at = next.findIndex((row, nth) => row !== shown[nth]);
  return at < 0 ? Math.max(0, next.length - 1) : at;
}

function rowsOf(width: number, columns: number): number {
  return Math.max(1, Math.ceil(width / columns));
}
