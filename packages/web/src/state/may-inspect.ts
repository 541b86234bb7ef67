/** Whether the person may see what is internal, as the server says. Until it has answered, nothing is hidden: it decides. */
import { appStore } from "./app-state.ts";
import { useStore } from "./store.ts";

export function useMayInspect(): boolean {
  return useStore(appStore, ({ meta }) => meta?.inspect !== false);
}
