/**
 * Keeps the visible text in place when parts fold. The control that the reader clicks stays in place. The rounds of a
 * turn that ends stay open while the reader sees them, unless the reader is at the end.
 */
import type { TurnView } from "@cairn/timeline";
import { useEffect } from "react";
import { appStore } from "../state/app-state.ts";
import { foldStore, setFold } from "./folds.ts";
import type { RowList } from "./row-list.ts";
import { roundKey } from "./rows.ts";

export function useFoldsInPlace(list: RowList): void {
  useEffect(() => foldStore.subscribe(() => list.hold()), [list]);
  useEffect(() => {
    const openTurn = (): TurnView | null => turnsNow().findLast(({ closed_at }) => closed_at === null) ?? null;
    let open = openTurn();
    // Called before the rows of the turn are rendered again.
    return appStore.subscribe(() => {
      const before = open;
      open = openTurn();
      if (before === null || before.turn_id === open?.turn_id) return;
      const rounds = new Set(before.rounds.map((round) => roundKey(before, round)));
      if (list.isReading((key) => rounds.has(key))) setFold(before.turn_id, false);
    });
  }, [list]);
}

function turnsNow(): readonly TurnView[] {
  return appStore.get().session?.view.turns ?? [];
}
