/** A value with an update function and subscribers. All state of the app is in such stores. */
import { useCallback, useRef, useSyncExternalStore } from "react";

export interface Store<T> {
  get(): T;
  /** Replaces the value; if the new value is the same object, subscribers are not called. */
  update(change: (value: T) => T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    update: (change) => {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Selects a part of the state and re-renders when it changes. `equal` is for selectors that make new objects. */
export function useStore<T, S>(
  store: Store<T>,
  select: (value: T) => S,
  equal: (a: S, b: S) => boolean = Object.is,
): S {
  const kept = useRef<{ readonly value: S } | null>(null);
  const snapshot = useCallback(() => {
    const next = select(store.get());
    if (kept.current !== null && equal(kept.current.value, next)) return kept.current.value;
    kept.current = { value: next };
    return next;
  }, [store, select, equal]);
  return useSyncExternalStore(store.subscribe, snapshot);
}

/** Whether two lists contain the same items in the same order. */
export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]));
}
