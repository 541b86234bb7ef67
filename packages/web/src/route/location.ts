/** The browser's location as a store, and navigation without a page load. */
import { useSyncExternalStore } from "react";
import { PREFIX } from "../api/address.ts";
import { formatRoute, parseRoute, type Route } from "./route.ts";

const listeners = new Set<() => void>();
let known: { readonly href: string; readonly route: Route } | null = null;

function currentRoute(): Route {
  if (known?.href !== location.href) known = { href: location.href, route: parseRoute(ownLocation()) };
  return known.route;
}

/** The location below the path at which the app is served. */
function ownLocation() {
  const { pathname, search, hash } = location;
  return { pathname: pathname.slice(PREFIX.length), search, hash };
}

/** The address of a place, for links and the address bar. */
export function hrefOf(route: Route): string {
  return `${PREFIX}${formatRoute(route)}`;
}

/** The whole address of a place, for giving it to other people. */
export function addressOf(route: Route): string {
  return new URL(hrefOf(route), location.origin).href;
}

export function navigate(route: Route, { replace = false }: { replace?: boolean } = {}): void {
  const address = hrefOf(route);
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
