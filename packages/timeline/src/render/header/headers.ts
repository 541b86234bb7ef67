/** The headers by which a model tells kinds of content apart. Content must not begin a line with them. */
import { KINDS } from "../../kind/kinds.ts";

/** Two headers belong to the tail and to no block. */
const TAIL_HEADERS = ["[ANNOUNCE]", "SOURCES POOL"];

export const HEADERS: readonly string[] = [...KINDS.flatMap(({ header }) => header ?? []), ...TAIL_HEADERS];

/** Headers that are ordinary words: they count only before a blank. */
export const COMMON_HEADERS: ReadonlySet<string> = new Set(
  KINDS.flatMap(({ header, headerNeedsBlank }) => (headerNeedsBlank ? (header ?? []) : [])),
);
