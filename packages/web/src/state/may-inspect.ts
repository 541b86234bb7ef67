/** Whether the person may see what is internal, as the server says. Until it has answered, nothing is hidden: it decides. */
import { useApp } from "./app-state.ts";

export function useMayInspect(): boolean {
  return useApp(({ meta }) => meta?.inspect !== false);
}
