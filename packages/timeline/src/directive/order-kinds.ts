/** The kinds of standing orders. `kind.ts` recognises them in text. */
export const ORDER_KINDS = ["name", "language", "units", "format", "tone", "preference", "rule"] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
