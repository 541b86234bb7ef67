/** For a conversation that may have been deleted: null instead of the error. */
import { CairnError } from "@cairn/timeline";

export function orGone(error: unknown): null {
  if (CairnError.is(error) && error.code === "not_found") return null;
  throw error;
}
