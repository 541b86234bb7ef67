/** For parts that scroll: they take the focus, so that a keyboard can scroll them too. Spread onto the element. */
export const REACHABLE = { tabIndex: 0 } as const;
