/** Whether there is room for the conversations beside the open one. */
import { useSyncExternalStore } from "react";

const query = globalThis.matchMedia?.("(min-width: 52rem)");

export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query?.addEventListener("change", listener);
      return () => query?.removeEventListener("change", listener);
    },
    () => query?.matches ?? true,
  );
}
