/** What a document process receives for a document, and how it asks for it. */
import type { CitedSource } from "./cited.ts";

export interface Supplied {
  readonly images: ReadonlyMap<string, Uint8Array>;
  readonly sources: ReadonlyMap<number, CitedSource>;
}

/** Asks the owner for pictures and sources. */
export type Ask = (images: ReadonlySet<string>, sids: ReadonlySet<number>) => Promise<Supplied>;
