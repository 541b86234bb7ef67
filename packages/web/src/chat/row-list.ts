/**
 * Where a conversation stands, and which of its rows are drawn. Drawn rows lie in the flow of the page between two
 * paddings that stand for the others, so that the browser itself keeps them apart. The list has a place: its end, or the
 * rows its reader sees. Before a frame in which anything changed its height is painted, `settle` measures the drawn rows
 * and scrolls to the place again.
 */
import { RowHeights } from "./row-heights.ts";
import type { Row } from "./rows.ts";
import { type DrawnRows, displacementOf, lower, type SeenRow, seeRows } from "./seen-rows.ts";

/** The rows to draw, by index, and the pixels that stand for those before and after them. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

type Place = "end" | readonly SeenRow[];

/** Space above the first row and below the last one, in pixels. */
const MARGIN = 24;
/** How far beyond what is in sight rows are drawn, in pixels. */
const DRAWN_BEYOND = 500;
/** A reader who comes this near to the end, in pixels, follows it. */
const NEAR_END = 80;

export class RowList {
  readonly #heights = new RowHeights();
  #place: Place = "end";
  #scroller: HTMLElement | null = null;
  #height = 0;
  #window: RowWindow = { first: 0, last: 0, before: 0, after: 0 };
  #drawn: DrawnRows = new Map();
  /** Where the list was left. Elsewhere means that the reader has scrolled; `null` after the list was away. */
  #left: { readonly top: number; readonly length: number } | null = null;
  /** Whether the reader scrolls just now. Until they stop, rows are moved by `#shift` instead of the scroll position. */
  #isScrolling = false;
  #shift = 0;

  get isAtEnd(): boolean {
    return this.#place === "end";
  }

  /** The rows to draw at the list's place. */
  window(rows: readonly Row[] | null = null): RowWindow {
    const heights = this.#heights;
    if (rows !== null) heights.take(rows);
    if (heights.count === 0) return { first: 0, last: 0, before: MARGIN, after: MARGIN };
    const top = this.#wantedTop() - MARGIN;
    const first = heights.indexAt(top - DRAWN_BEYOND);
    const last = heights.indexAt(top + this.#height + DRAWN_BEYOND) + 1;
    const before = MARGIN + heights.startOf(first);
    // Nothing is left to shift into at the top.
    if (first === 0 || before + this.#shift < 0) this.#shift = 0;
    return { first, last, before: before + this.#shift, after: MARGIN + heights.total - heights.startOf(last) };
  }

  /** Takes what was drawn, before it is painted. */
  draw(scroller: HTMLElement, window: RowWindow, elements: Iterable<Element>): void {
    this.#scroller = scroller;
    this.#window = window;
    const drawn = new Map<string, Element>();
    let index = window.first;
    for (const element of elements) drawn.set(this.#heights.keyAt(index++) ?? "", element);
    this.#drawn = drawn;
  }

  /** The list is laid out for something else, such as paper: where it is scrolled to says nothing. */
  leave(): void {
    this.#scroller = null;
    this.#left = null;
  }

  /** Scrolls to the place of the list. Gives whether other rows have to be drawn there. */
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

  /** The list was scrolled. Gives whether other rows have to be drawn. */
  scrolled(): boolean {
    const list = this.#scroller;
    if (list === null) return false;
    const hasMoved = this.#noticeReader(list);
    this.#leave(list);
    if (!hasMoved) return false;
    this.#isScrolling = true;
    // Other rows are in sight now.
    if (this.#place !== "end") this.hold();
    return this.#hasOtherWindow();
  }

  /** The reader has stopped scrolling. Gives whether rows have to be drawn elsewhere. */
  rested(): boolean {
    this.#isScrolling = false;
    this.#shift = 0;
    return this.#hasOtherWindow();
  }

  /** Goes to the end, and stays there. */
  goToEnd(): void {
    this.#place = "end";
  }

  /** Goes to a row, and stays there. */
  goTo(key: string): void {
    this.#place = [{ key, top: 0, parts: [] }];
  }

  /** Stays at the rows that are in sight. */
  hold(): void {
    if (this.#scroller !== null) this.#place = this.#seen(this.#scroller);
  }

  /** Whether a reader who is not at the end has a row in sight of which this is true. */
  isReading(isMeant: (key: string) => boolean): boolean {
    const list = this.#scroller;
    return list !== null && this.#place !== "end" && seeRows(list, this.#drawn).some(({ key }) => isMeant(key));
  }

  /**
   * Takes over where the reader has scrolled to since the list was left; gives whether they did. The browser scrolls up by
   * itself when the list gets shorter, and the list may have grown again since: up counts as the reader's only if the
   * list is as long as it was.
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
      // Drawn next, unless none of the rows is left.
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
    // From here on the place is known by what is in sight now. What is left of the displacement would add up.
    const rest = displacementOf(seen, list, this.#drawn) ?? 0;
    const now = lower(seeRows(list, this.#drawn), -rest);
    if (Math.abs(rest) < 1 && now.length > 0) this.#place = now;
  }

  /** The rows in sight; far from those that are drawn, the one that will be. */
  #seen(list: HTMLElement): readonly SeenRow[] {
    const seen = seeRows(list, this.#drawn);
    if (seen.length > 0) return seen;
    const top = list.scrollTop - this.#shift - MARGIN;
    const index = this.#heights.indexAt(top);
    return [{ key: this.#heights.keyAt(index) ?? "", top: this.#heights.startOf(index) - top, parts: [] }];
  }

  /** Where the place of the list begins, as far as heights are known. */
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

/** The furthest the list can be scrolled, in pixels. */
function lengthOf(list: HTMLElement): number {
  return list.scrollHeight - list.clientHeight;
}

/** The pixels below what is in sight. */
export function belowOf(list: HTMLElement): number {
  return lengthOf(list) - list.scrollTop;
}
