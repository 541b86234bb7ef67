/** Attributes that make a scrollable element focusable, so that people can scroll it with the keyboard. */
export const REACHABLE = { tabIndex: 0 } as const;
