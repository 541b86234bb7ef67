/** Scrolls to the turn in the address. Returns false while the turn is not loaded; the caller loads older ones. */
import { useLayoutEffect, useState } from "react";
import { useRoute } from "../route/location.ts";
import type { RowList } from "./row-list.ts";
import type { Row } from "./rows.ts";

interface OpeningPlaceOptions {
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly redraw: () => void;
}

export function useOpeningPlace(list: RowList, { rows, hasOlder, redraw }: OpeningPlaceOptions): boolean {
  const route = useRoute();
  const turnId = route.page === "chat" ? (route.turnId ?? null) : null;
  const [reached, setReached] = useState<string | null>(null);
  const isFound = rows.length === 0 || turnId === reached;
  useLayoutEffect(() => {
    if (isFound) return;
    // The first row of the turn, or the row with this key.
    const row = rows.find(({ key }) => turnId !== null && (key === turnId || key.startsWith(`${turnId} `)));
    if (row === undefined && turnId !== null && hasOlder) return;
    setReached(turnId);
    if (row === undefined) return;
    list.goTo(row.key);
    redraw();
  }, [list, rows, isFound, turnId, hasOlder, redraw]);
  return isFound || turnId === null;
}
