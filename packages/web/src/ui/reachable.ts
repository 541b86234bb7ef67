/** Attributes for scrollable elements that make them focusable, so that a keyboard can scroll them too. */
export const REACHABLE = { tabIndex: 0 } as const;
