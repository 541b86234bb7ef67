/**
 * The container for floating parts (menus, cards): their dialog, if there is one. An open dialog is above everything
 * else on the page, and nothing outside of it can be reached.
 */
import { createContext, useContext } from "react";

export const LayerContext = createContext<HTMLElement | null>(null);

/** For a portal's `container`; undefined means the page itself. */
export function useLayer(): { readonly container?: HTMLElement } {
  const layer = useContext(LayerContext);
  return layer === null ? {} : { container: layer };
}
