/** Hooks for media queries about the window and the pointer. */
import { useSyncExternalStore } from "react";

function mediaHook(condition: string, otherwise: boolean): () => boolean {
  const query = globalThis.matchMedia?.(condition);
  const listen = (listener: () => void) => {
    query?.addEventListener("change", listener);
    return () => query?.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(listen, () => query?.matches ?? otherwise);
}

/** Whether there is space for the list beside the open conversation. */
export const useIsWide = mediaHook("(min-width: 52rem)", true);

/** Whether the device has a touch screen, and therefore probably an on-screen keyboard. */
export const useIsTouched = mediaHook("(pointer: coarse)", false);

export const useSystemIsDark = mediaHook("(prefers-color-scheme: dark)", false);
