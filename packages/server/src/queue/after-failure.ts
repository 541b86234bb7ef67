/** What becomes of a conversation whose turn could not be run. */
import { CairnError } from "@cairn/timeline";

const LOOK_AGAIN_MS = 500;
const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 30_000;

export type AfterFailure =
  /** It is not there any more. */
  | { readonly kind: "gone" }
  /** Somebody else writes to it: that is no failure. */
  | { readonly kind: "held"; readonly againMs: number }
  | { readonly kind: "failed"; readonly againMs: number };

/** `failures`: how often in a row it could not be run, this time included. */
export function afterFailure(error: unknown, failures: number): AfterFailure {
  const code = CairnError.is(error) ? error.code : "";
  if (code === "not_found") return { kind: "gone" };
  if (code === "lease_held" || code === "lease_lost") return { kind: "held", againMs: LOOK_AGAIN_MS };
  return { kind: "failed", againMs: Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20)) };
}
