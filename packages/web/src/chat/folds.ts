/** Remembers, until the page is closed, which parts the user has opened or folded, even in rows out of view. */
import { createStore, useStore } from "../state/store.ts";

export const foldStore = createStore<ReadonlyMap<string, boolean>>(new Map());

export function setFold(key: string, isFoldedNow: boolean): void {
  foldStore.update((folds) => new Map(folds).set(key, isFoldedNow));
}

/** Whether a part is open; `byDefault` applies unless the user changed it. */
export function useFold(key: string, byDefault: boolean): readonly [boolean, (open: boolean) => void] {
  const isOpen = useStore(foldStore, (folds) => folds.get(key) ?? byDefault);
  return [isOpen, (open) => setFold(key, open)];
}
