/**
 * The scroll position of a conversation, and its rendered rows. Rendered rows are in the normal flow, between two
 * paddings that take the place of the other rows. The list has an anchor: its end, or the rows that the reader sees. If
 * heights changed, `settle` measures the rendered rows and scrolls back to the anchor before the frame is painted.
 */
import { RowHeights } from "./row-heights.ts";
import type { Row } from "./rows.ts";
import { type DrawnRows, displacementOf, lower, type SeenRow, seeRows } from "./seen-rows.ts";

/** The rows to render, by index, and the pixels of the paddings before and after them. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

type Place = "end" | readonly SeenRow[];

/** Space above the first row and below the last one, in pixels. */
const MARGIN = 24;
/** How far beyond the visible area rows are rendered, in pixels. */
const DRAWN_BEYOND = 500;
/** Within this distance of the end, in pixels, the list follows the end. */
const NEAR_END = 80;

export class RowList {
  readonly #heights = new RowHeights();
  #place: Place = "end";
  #scroller: HTMLElement | null = null;
  #height = 0;
  #window: RowWindow = { first: 0, last: 0, before: 0, after: 0 };
  #drawn: DrawnRows = new Map();
  /** The last known scroll position; after another one, the reader has scrolled. Null after the list was hidden. */
  #left: { readonly top: number; readonly length: number } | null = null;
  /** Whether the reader is scrolling. During this time, the rows are moved by `#shift`, and not the scroll position. */
  #isScrolling = false;
  #shift = 0;

  get isAtEnd(): boolean {
    return this.#place === "end";
  }

  window(rows: readonly Row[] | null = null): RowWindow {
    const heights = this.#heights;
    if (rows !== null) heights.take(rows);
    if (heights.count === 0) return { first: 0, last: 0, before: MARGIN, after: MARGIN };
    const top = this.#wantedTop() - MARGIN;
    const first = heights.indexAt(top - DRAWN_BEYOND);
    const last = heights.indexAt(top + this.#height + DRAWN_BEYOND) + 1;
    const before = MARGIN + heights.startOf(first);
    // No padding is left above the visible rows that could be made smaller.
    if (first === 0 || before + this.#shift < 0) this.#shift = 0;
    return { first, last, before: before + this.#shift, after: MARGIN + heights.total - heights.startOf(last) };
  }

  /** Called after the rows were rendered and before they are painted. */
  draw(scroller: HTMLElement, window: RowWindow, elements: Iterable<Element>): void {
    this.#scroller = scroller;
    this.#window = window;
    const drawn = new Map<string, Element>();
    let index = window.first;
    for (const element of elements) drawn.set(this.#heights.keyAt(index++) ?? "", element);
    this.#drawn = drawn;
  }

  /** The list now has the layout for another purpose, such as print, so its scroll position is meaningless. */
  leave(): void {
    this.#scroller = null;
    this.#left = null;
  }

  /** Scrolls to the anchor. Returns whether the rows at the new position must be rendered. */
  settle(): boolean {
    const list = this.#scroller;
    if (list === null) return false;
    this.#height = list.clientHeight;
    for (const [key, element] of this.#drawn) this.#heights.measure(key, element.getBoundingClientRect().height);
    this.#noticeReader(list);
    if (this.#place === "end") list.scrollTop = list.scrollHeight;
    else this.#keepRows(list, this.#place);
    this.#leave(list);
    return this.#hasOtherWindow();
  }

  /** Called when the list was scrolled. Returns whether other rows must be rendered. */
  scrolled(): boolean {
    const list = this.#scroller;
    if (list === null) return false;
    const hasMoved = this.#noticeReader(list);
    this.#leave(list);
    if (!hasMoved) return false;
    this.#isScrolling = true;
    // Called when the reader scrolls, so that other rows become visible.
    if (this.#place !== "end") this.hold();
    return this.#hasOtherWindow();
  }

  /** Called when the reader has stopped scrolling. Returns whether other rows must be rendered. */
  rested(): boolean {
    this.#isScrolling = false;
    this.#shift = 0;
    return this.#hasOtherWindow();
  }

  /** Scrolls to the end and follows it. */
  goToEnd(): void {
    this.#place = "end";
  }

  /** Scrolls to a row and stays there. `top`: its distance from the top of the list, in pixels. */
  goTo(key: string, top = 0): void {
    this.#place = [{ key, top, parts: [] }];
  }

  /** Keeps the visible rows in place while rows above change. */
  hold(): void {
    if (this.#scroller !== null) this.#place = this.#seen(this.#scroller);
  }

  /** Whether a reader who is not at the end sees a row for which this is true. */
  isReading(isMeant: (key: string) => boolean): boolean {
    const list = this.#scroller;
    return list !== null && this.#place !== "end" && seeRows(list, this.#drawn).some(({ key }) => isMeant(key));
  }

  /**
   * Returns whether the reader has scrolled since the last call. The browser itself scrolls up when the list gets
   * shorter, and the list may have grown again since. So scrolling up counts only if the list has the same length as
   * before.
   */
  #noticeReader(list: HTMLElement): boolean {
    if (this.#left === null) return false;
    const moved = list.scrollTop - this.#left.top;
    if (moved === 0 || (moved < 0 && lengthOf(list) !== this.#left.length)) return false;
    if (moved > 0 && belowOf(list) <= NEAR_END) this.#place = "end";
    else if (this.#place !== "end") this.#place = lower(this.#place, -moved);
    else if (moved < 0) this.hold();
    return true;
  }

  #leave(list: HTMLElement): void {
    this.#left = { top: list.scrollTop, length: lengthOf(list) };
  }

  #keepRows(list: HTMLElement, seen: readonly SeenRow[]): void {
    const displacement = displacementOf(seen, list, this.#drawn);
    if (displacement === null) {
      // Scrolls to the rows that will be rendered next, unless none of the rendered rows stays.
      if (seen.some(({ key }) => this.#heights.indexOf(key) >= 0)) list.scrollTop = this.#wantedTop();
      else this.hold();
      return;
    }
    if (Math.abs(displacement) >= 1) {
      const { first, before } = this.#window;
      const room = Math.min(before, belowOf(list));
      if (this.#isScrolling && first > 0 && room >= displacement) {
        this.#shift -= displacement;
        return;
      }
      list.scrollTop += displacement;
    }
    // The visible rows are the new anchor, without the rest of the displacement, which would otherwise add up.
    const rest = displacementOf(seen, list, this.#drawn) ?? 0;
    const now = lower(seeRows(list, this.#drawn), -rest);
    if (Math.abs(rest) < 1 && now.length > 0) this.#place = now;
  }

  /** The visible rows. If the rendered rows are far away, the row that will be visible. */
  #seen(list: HTMLElement): readonly SeenRow[] {
    const seen = seeRows(list, this.#drawn);
    if (seen.length > 0) return seen;
    const top = list.scrollTop - this.#shift - MARGIN;
    const index = this.#heights.indexAt(top);
    return [{ key: this.#heights.keyAt(index) ?? "", top: this.#heights.startOf(index) - top, parts: [] }];
  }

  /** The position of the anchor, as well as the heights are known. */
  #wantedTop(): number {
    const heights = this.#heights;
    const end = heights.total + 2 * MARGIN - this.#height;
    if (this.#place === "end") return Math.max(0, end);
    const seen = this.#place.find(({ key }) => heights.indexOf(key) >= 0);
    if (seen === undefined) return this.#left?.top ?? end;
    return MARGIN + heights.startOf(heights.indexOf(seen.key)) - seen.top;
  }

  #hasOtherWindow(): boolean {
    const { first, last, before, after } = this.window();
    const drawn = this.#window;
    const isNear = Math.abs(before - drawn.before) < 1 && Math.abs(after - drawn.after) < 1;
    return first !== drawn.first || last !== drawn.last || !isNear;
  }
}

/** The maximum scroll position of the list, in pixels. */
function lengthOf(list: HTMLElement): number {
  return list.scrollHeight - list.clientHeight;
}

/** The pixels below the visible area. */
export function belowOf(list: HTMLElement): number {
  return lengthOf(list) - list.scrollTop;
}
