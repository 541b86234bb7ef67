/**
 * Whether the user may see internal content, as the server says. Until the server has answered, nothing is hidden,
 * because the server checks every request anyway.
 */
import { useApp } from "./app-state.ts";

export function useMayInspect(): boolean {
  return useApp(({ meta }) => meta?.inspect !== false);
}
