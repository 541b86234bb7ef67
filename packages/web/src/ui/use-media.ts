/** What the browser says about its window and its pointer, told anew when it changes. */
import { useSyncExternalStore } from "react";

function mediaHook(condition: string, otherwise: boolean): () => boolean {
  const query = globalThis.matchMedia?.(condition);
  const listen = (listener: () => void) => {
    query?.addEventListener("change", listener);
    return () => query?.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(listen, () => query?.matches ?? otherwise);
}

/** Whether there is room for the conversations beside the open one. */
export const useIsWide = mediaHook("(min-width: 52rem)", true);

/** Whether it is used with a finger, and so most likely typed on a keyboard of glass. */
export const useIsTouched = mediaHook("(pointer: coarse)", false);
