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
export function useOpeningPlace(list: List, rows: readonly Row[], { hasOlder, isFollowing }: PlaceOptions): boolean {
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
    const index = rows.findIndex(({ key }) => key.startsWith(`${turnId} `));
    if (index < 0 && hasOlder) return;
    if (index >= 0) {
      isFollowing.current = false;
      list.scrollToIndex(index, { align: "start" });
    }
    setReached(turnId);
  }, [list, rows, isReady, turnId, reached, hasOlder, isFollowing]);
  return !isReady || turnId === null || turnId === reached;
}
