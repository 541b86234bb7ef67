/**
 * Scrolls to the turn in the address, or to the turn whose version the user switched. Returns false while the turn is
 * not loaded; the caller loads older ones.
 */
import { useLayoutEffect, useState } from "react";
import { useRoute } from "../route/location.ts";
import { reachedSwitch, switchTo } from "../state/switched-version.ts";
import type { RowList } from "./row-list.ts";
import type { Row } from "./rows.ts";

interface OpeningPlaceOptions {
  readonly conversationId: string;
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly redraw: () => void;
}

export function useOpeningPlace(
  list: RowList,
  { conversationId, rows, hasOlder, redraw }: OpeningPlaceOptions,
): boolean {
  const route = useRoute();
  const turnId = route.page === "chat" ? (route.turnId ?? null) : null;
  const [reached, setReached] = useState<string | null>(null);
  const [switched, setSwitched] = useState(() => switchTo(conversationId));
  const isFound = rows.length === 0 || (switched === null && turnId === reached);
  useLayoutEffect(() => {
    if (isFound) return;
    const row = rows.find((each) =>
      switched === null ? turnId !== null && isAt(each, turnId) : each.kind === "prompt" && each.turn.n === switched.n,
    );
    if (row === undefined && hasOlder && (switched !== null || turnId !== null)) return;
    setReached(turnId);
    setSwitched(null);
    reachedSwitch();
    if (row === undefined) return;
    list.goTo(row.key, switched?.top);
    redraw();
  }, [list, rows, isFound, turnId, switched, hasOlder, redraw]);
  return isFound || (turnId === null && switched === null);
}

/** Whether the row has this key, or belongs to the turn with this id. */
function isAt({ key }: Row, turnId: string): boolean {
  return key === turnId || key.startsWith(`${turnId} `);
}
