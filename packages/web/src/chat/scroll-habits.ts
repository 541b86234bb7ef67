/** Where the list of a conversation stands when it opens, and when it keeps to its end. */
import type { Virtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useRoute } from "../route/location.ts";
import type { Row } from "./rows.ts";

type List = Virtualizer<HTMLDivElement, Element>;

/** The list keeps to its end, except that what was just unfolded stays where it was clicked. */
export function useFollowing(folds: unknown, sending: number): { current: boolean } {
  const following = useRef(true);
  const seen = useRef({ folds, sending });
  if (seen.current.folds !== folds) following.current = false;
  if (seen.current.sending < sending) following.current = true;
  seen.current = { folds, sending };
  return following;
}

/** When the composer below grows, the end of the list stays in sight. */
export function useStayAtEnd(list: List, scroller: RefObject<HTMLElement | null>, isAtEnd: boolean): void {
  const atEnd = useRef(isAtEnd);
  atEnd.current = isAtEnd;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => {
      if (atEnd.current) list.scrollToEnd();
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, [list, scroller]);
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
