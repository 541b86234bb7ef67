/** The pictures and sources that a document's content names, as a back end needs them. */
import type { NumberedSids } from "../model/cited.ts";
import type { PreparedImage } from "./prepare-image.ts";

export interface Assets {
  /** Images by their address in the document. An image that was not found has no entry. */
  readonly images: ReadonlyMap<string, PreparedImage>;
  readonly references: NumberedSids;
}
