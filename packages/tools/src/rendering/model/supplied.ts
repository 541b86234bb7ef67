/** The pictures and sources that a document process receives, and the request for them. */
import type { CitedSource } from "./cited.ts";

export interface Supplied {
  readonly images: ReadonlyMap<string, Uint8Array>;
  readonly sources: ReadonlyMap<number, CitedSource>;
}

/** Asks the owner for pictures and sources. */
export type Ask = (images: ReadonlySet<string>, sids: ReadonlySet<number>) => Promise<Supplied>;
