/** The browser's location as a store, and navigation without a page load. */
import { useSyncExternalStore } from "react";
import { formatRoute, parseRoute, type Route } from "./route.ts";

const listeners = new Set<() => void>();
let known: { readonly href: string; readonly route: Route } | null = null;

function currentRoute(): Route {
  if (known?.href !== location.href) known = { href: location.href, route: parseRoute(location) };
  return known.route;
}

export function navigate(route: Route, { replace = false }: { replace?: boolean } = {}): void {
  const address = formatRoute(route);
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  for (const listener of [...listeners]) listener();
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  globalThis.addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    globalThis.removeEventListener("popstate", listener);
  };
}
