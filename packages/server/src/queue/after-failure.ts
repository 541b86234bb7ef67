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

/** Codes of a store in trouble: a full disk is emptied and a database comes back, in a minute or in a night. */
const PASSING = new Set(["full", "busy", "io", "read_only"]);

/** Whether it may go well later though nothing happens to the conversation: it is not to be given up. */
export function isPassing(error: unknown): boolean {
  return CairnError.is(error) && PASSING.has(error.code);
}
