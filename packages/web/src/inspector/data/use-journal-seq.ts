/** The last seq of the open conversation's journal. Pages that show parts of the journal load again when it grows. */
import { useSyncExternalStore } from "react";
import { appStore } from "../../state/app-state.ts";

const PAUSE_MS = 500;

type Subscribe = (listener: () => void) => () => void;

/** Calls a listener at most once in each interval, and always once after the last change. */
export function throttle(subscribe: Subscribe, pauseMs: number): Subscribe {
  return (listener) => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = subscribe(() => {
      timer ??= setTimeout(() => {
        timer = null;
        listener();
      }, pauseMs);
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  };
}

const subscribe = throttle(appStore.subscribe, PAUSE_MS);

export function useJournalSeq(conversationId: string): number {
  return useSyncExternalStore(subscribe, () => {
    const { session } = appStore.get();
    return session?.id === conversationId ? session.view.seq : 0;
  });
}
