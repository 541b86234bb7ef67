/** The pictures and sources that a document's content names, as a back end needs them. */

import type { NumberedSids } from "../model/cited.ts";
import type { PreparedImage } from "./prepare-image.ts";

export interface Assets {
  /** By address as written. A missing address was not found. */
  readonly images: ReadonlyMap<string, PreparedImage>;
  readonly references: NumberedSids;
}
