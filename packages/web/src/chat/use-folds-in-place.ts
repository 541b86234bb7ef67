/**
 * Folds never move what is read. What the reader folds or unfolds stays where it was clicked, and the work of a turn
 * that ends stays open while the reader has it in sight and is not at the end.
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
    // Before the rows of the turn are drawn anew.
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
