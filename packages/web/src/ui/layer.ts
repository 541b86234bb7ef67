/** The container for menus and cards: the dialog in which they are, because an open dialog is above all else. */
import { createContext, useContext } from "react";

export const LayerContext = createContext<HTMLElement | null>(null);

/** The element for a portal's `container`; undefined means the page itself. */
export function useLayer(): { readonly container?: HTMLElement } {
  const layer = useContext(LayerContext);
  return layer === null ? {} : { container: layer };
}
