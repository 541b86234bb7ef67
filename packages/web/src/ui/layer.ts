/** The container for floating parts (menus, cards): their dialog, because an open dialog is above everything else. */
import { createContext, useContext } from "react";

export const LayerContext = createContext<HTMLElement | null>(null);

/** The element for a portal's `container`; undefined means the page itself. */
export function useLayer(): { readonly container?: HTMLElement } {
  const layer = useContext(LayerContext);
  return layer === null ? {} : { container: layer };
}
