/**
 * Whether the user may see internal content, as the server says. Before the server has answered, the app hides nothing,
 * because the server checks every request.
 */
import { useApp } from "./app-state.ts";

export function useMayInspect(): boolean {
  return useApp(({ meta }) => meta?.inspect !== false);
}
