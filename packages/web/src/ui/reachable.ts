/** For scrollable parts: makes them focusable, so that a keyboard can scroll them too. Spread onto the element. */
export const REACHABLE = { tabIndex: 0 } as const;
