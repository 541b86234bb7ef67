/** Connects a `RowList` to the page: it settles before every frame in which the list or a row has another size. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { RowList, type RowWindow } from "./row-list.ts";
import type { Row } from "./rows.ts";

/** Milliseconds after the last movement at which scrolling counts as ended, in browsers without a scroll-end event. */
const REST_MS = 200;

interface RowListOptions {
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** The parent element of the rendered rows. */
  readonly content: RefObject<HTMLElement | null>;
  /** Whether the list is hidden, so that nothing is drawn and the scroll position means nothing. */
  readonly isAway: boolean;
  /** Called after the list has settled, and when it is scrolled. */
  readonly onSettled: (scroller: HTMLElement) => void;
}

interface DrawnList {
  readonly list: RowList;
  readonly window: RowWindow;
  readonly rowRef: (row: Element | null) => (() => void) | undefined;
  /** Renders the rows again after a jump. */
  readonly redraw: () => void;
}

export function useRowList({ rows, scroller, content, isAway, onSettled }: RowListOptions): DrawnList {
  const [list] = useState(() => new RowList());
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const settled = useRef(onSettled);
  settled.current = onSettled;
  const draw = useCallback(
    (isOther: boolean) => {
      if (isOther) flushSync(redraw);
      else if (scroller.current !== null) settled.current(scroller.current);
    },
    [scroller],
  );
  const [sizes] = useState(() => new ResizeObserver(() => draw(list.settle())));
  // Waits for the next frame, because observing a row inside the observer's callback would be reported as an error.
  const rowRef = useCallback(
    (row: Element | null) => {
      if (row === null) return undefined;
      const frame = requestAnimationFrame(() => sizes.observe(row));
      return () => {
        cancelAnimationFrame(frame);
        sizes.unobserve(row);
      };
    },
    [sizes],
  );

  const window = list.window(rows);
  useLayoutEffect(() => {
    if (isAway) return list.leave();
    if (scroller.current === null || content.current === null) return;
    list.draw(scroller.current, window, content.current.children);
    if (list.settle()) redraw();
    else settled.current(scroller.current);
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rested = () => draw(list.rested());
    const scrolled = () => {
      draw(list.scrolled());
      if ("onscrollend" in element) return;
      clearTimeout(timer);
      timer = setTimeout(rested, REST_MS);
    };
    sizes.observe(element);
    element.addEventListener("scroll", scrolled, { passive: true });
    element.addEventListener("scrollend", rested);
    return () => {
      clearTimeout(timer);
      sizes.disconnect();
      element.removeEventListener("scroll", scrolled);
      element.removeEventListener("scrollend", rested);
    };
  }, [list, scroller, sizes, draw]);
  return { list, window, rowRef, redraw };
}
