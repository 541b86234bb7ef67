/** Returns null instead of the error if a conversation was deleted. */
import { CairnError } from "@cairn/timeline";

export function orGone(error: unknown): null {
  if (CairnError.is(error) && error.code === "not_found") return null;
  throw error;
}
