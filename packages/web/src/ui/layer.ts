/**
 * Where floating parts (menus, cards) are put: into the dialog they belong to, if there is one. An open dialog lies above
 * everything else in the page, and what is outside of it cannot be reached.
 */
import { createContext, useContext } from "react";

export const LayerContext = createContext<HTMLElement | null>(null);

/** For a portal's `container`; nothing means the page itself. */
export function useLayer(): { readonly container?: HTMLElement } {
  const layer = useContext(LayerContext);
  return layer === null ? {} : { container: layer };
}
