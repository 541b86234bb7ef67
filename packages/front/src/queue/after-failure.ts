/** Decides whether and when a conversation is retried after its turn failed to run. */
import { backOff, CairnError } from "@cairn/timeline";

const LOOK_AGAIN_MS = 500;
const FIRST_RETRY_MS = 400;
const MAX_RETRY_MS = 30_000;

export type AfterFailure =
  /** The conversation does not exist any more. */
  | { readonly kind: "gone" }
  /** Another writer holds the lease, which is not a failure. */
  | { readonly kind: "held"; readonly againMs: number }
  | { readonly kind: "failed"; readonly againMs: number };

/** `failures`: number of failures in a row, including this one. */
export function afterFailure(error: unknown, failures: number): AfterFailure {
  const code = CairnError.is(error) ? error.code : "";
  if (code === "not_found") return { kind: "gone" };
  if (code === "lease_held" || code === "lease_lost") return { kind: "held", againMs: LOOK_AGAIN_MS };
  return { kind: "failed", againMs: backOff(failures, FIRST_RETRY_MS, MAX_RETRY_MS) };
}

/** Codes of store errors that may end by themselves, for example when disk space is freed or a database is back. */
const PASSING = new Set(["full", "busy", "io", "read_only"]);

/** Whether a retry may succeed although the conversation has not changed. Retries then continue without a limit. */
export function isPassing(error: unknown): boolean {
  return CairnError.is(error) && PASSING.has(error.code);
}
