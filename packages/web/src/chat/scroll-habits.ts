/** Where the list of a conversation stands when it opens, and when it keeps to its end. */
import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useRoute } from "../route/location.ts";
import type { Row } from "./rows.ts";

type List = Virtualizer<HTMLDivElement, Element>;

/** How near to its end the list counts as being there, in pixels. */
const AT_END = 80;

/**
 * Whether the list keeps to its end. It does from the beginning, until the reader goes up, until the list opens at a
 * turn, or until something is unfolded, which then stays where it was clicked; it does again when the reader comes back
 * to the end or sends something.
 */
export function useFollowing(folds: unknown, sending: number): { current: boolean } {
  const following = useRef(true);
  const seen = useRef({ folds, sending });
  if (seen.current.folds !== folds) following.current = false;
  if (seen.current.sending < sending) following.current = true;
  seen.current = { folds, sending };
  return following;
}

/**
 * Tells what a change of the list says about its reader, and gives the pixels below what is in sight. Both are reckoned,
 * not read from the page: reading would lay it out in the middle of a frame.
 */
export function useReaderMoves(isFollowing: { current: boolean }): (list: List) => number {
  const before = useRef(0);
  return (list) => {
    const offset = list.scrollOffset ?? 0;
    const below = list.getTotalSize() - offset - (list.scrollRect?.height ?? 0);
    // What is measured anew moves the end away from the reader, never the reader up and away from the end.
    if (offset < before.current && below > AT_END) isFollowing.current = false;
    if (offset > before.current && below <= AT_END) isFollowing.current = true;
    before.current = offset;
    return below;
  };
}

/** While the list keeps to its end, the end stays in sight: when rows turn out taller, and when the composer grows. */
export function useStayAtEnd(
  list: List,
  scroller: RefObject<HTMLElement | null>,
  isFollowing: { current: boolean },
): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => {
      // A reader who just went up may not have been heard of yet.
      const hasGoneUp = element.scrollTop < (list.scrollOffset ?? 0) - AT_END;
      if (isFollowing.current && !hasGoneUp) list.scrollToEnd();
    });
    resized.observe(element);
    for (const child of element.children) resized.observe(child);
    return () => resized.disconnect();
  }, [list, scroller, isFollowing]);
}

/** Paper has no scroll: afterwards the reader is where they were. */
export function useSamePlaceAfterPrint(list: List, isPrinting: boolean, isFollowing: { current: boolean }): void {
  const left = useRef<{ readonly offset: number; readonly isFollowing: boolean } | null>(null);
  useLayoutEffect(() => {
    if (isPrinting) left.current = { offset: list.scrollOffset ?? 0, isFollowing: isFollowing.current };
    else if (left.current !== null) {
      isFollowing.current = left.current.isFollowing;
      if (left.current.isFollowing) list.scrollToEnd();
      else list.scrollToOffset(left.current.offset);
      left.current = null;
    }
  }, [list, isPrinting, isFollowing]);
}

interface PlaceOptions {
  readonly hasOlder: boolean;
  /** Set to false when the list opens at a turn: it then stays there. */
  readonly isFollowing: { current: boolean };
}

/**
 * Opens the list at its end, or at the turn the address names. Gives false while that turn is looked for among turns
 * that are not loaded yet: the caller loads older ones.
 */
export function useOpeningPlace(
  list: List,
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { hasOlder, isFollowing }: PlaceOptions,
): boolean {
  const route = useRoute();
  const turnId = route.page === "chat" ? (route.turnId ?? null) : null;
  const [reached, setReached] = useState<string | null>(null);
  const isOpen = useRef(false);
  const isReady = rows.length > 0;
  useEffect(() => {
    if (!isReady || isOpen.current) return;
    isOpen.current = true;
    if (turnId === null) list.scrollToEnd();
  }, [list, isReady, turnId]);
  useEffect(() => {
    if (!isReady || turnId === null || turnId === reached) return;
    if (indexOfTurn(rows, turnId) >= 0 || !hasOlder) setReached(turnId);
  }, [rows, isReady, turnId, reached, hasOlder]);
  const isFound = !isReady || turnId === null || turnId === reached;
  useStandingAt(list, scroller, rows, { turnId: isFound ? turnId : null, isFollowing });
  return isFound;
}

/** How often it is looked at where the list stands, how often it has to stand right, and when it is given up. */
const LOOK_MS = 100;
const STEADY_LOOKS = 10;
const MOST_LOOKS = 300;
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

/**
 * Takes the list to a turn, and there again until it has stood there for a while or the reader moves it: rows that come
 * in above, and a way to the end that it was on, take it elsewhere.
 */
function useStandingAt(
  list: List,
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  { turnId, isFollowing }: { readonly turnId: string | null; readonly isFollowing: { current: boolean } },
): void {
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    const element = scroller.current;
    if (turnId === null || element === null) return;
    let looks = 0;
    let steady = 0;
    const look = () => {
      const index = indexOfTurn(latest.current, turnId);
      const target = index < 0 ? undefined : list.getOffsetForIndex(index, "start")?.[0];
      const isThere = target !== undefined && Math.abs((list.scrollOffset ?? 0) - target) < 2;
      steady = isThere ? steady + 1 : 0;
      if (index < 0 || steady > STEADY_LOOKS || ++looks > MOST_LOOKS) return stop();
      if (isThere) return;
      isFollowing.current = false;
      list.scrollToIndex(index, { align: "start" });
    };
    const timer = setInterval(look, LOOK_MS);
    const stop = () => {
      clearInterval(timer);
      for (const move of MOVES) element.removeEventListener(move, stop);
    };
    for (const move of MOVES) element.addEventListener(move, stop, { passive: true });
    look();
    return stop;
  }, [list, scroller, turnId, isFollowing]);
}

/** The first row of a turn, or the row of this key. */
function indexOfTurn(rows: readonly Row[], turnId: string): number {
  return rows.findIndex(({ key }) => key === turnId || key.startsWith(`${turnId} `));
}
