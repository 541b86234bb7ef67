/** What a document's content named and what came of it, as a back end needs it. */
import type { PreparedImage } from "./image/prepare-image.ts";
import type { NumberedSids } from "./model/cited.ts";

export interface Assets {
  /** By address as written. An address that is not here was not found. */
  readonly images: ReadonlyMap<string, PreparedImage>;
  readonly references: NumberedSids;
}
