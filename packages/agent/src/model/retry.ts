/**
 * The back-off before a model is asked again.
 *
 * The wait before attempt n+1 is 2^(n-1) seconds, at most a minute, minus a random part of up to a half. The random
 * part keeps many clients from retrying at the same time. If the provider names a time, the wait is that time plus a
 * random part of up to a tenth; a time of more than ten minutes is an error. A time of less than a second, or a date in
 * the past, is ignored, because it would cause thousands of requests without a pause.
 */
import { backOff, jittered } from "@cairn/timeline";
import type { ModelError } from "./model-error.ts";

const FIRST_MS = 1_000;
const MAX_MS = 60_000;
const MAX_ASKED_MS = 600_000;

/**
 * Milliseconds to wait after the failed attempt number `attempt`, counted from 1; null when the provider asks for too
 * long a wait. `random`: from 0 up to 1.
 */
export function waitBefore(
  attempt: number,
  { retryAfterMs }: Pick<ModelError, "retryAfterMs">,
  { random }: { readonly random: () => number },
): number | null {
  if (retryAfterMs !== null && retryAfterMs > MAX_ASKED_MS) return null;
  if (retryAfterMs !== null && retryAfterMs >= FIRST_MS) return Math.round(retryAfterMs * (1 + random() / 10));
  return Math.max(retryAfterMs ?? 0, Math.round(jittered(backOff(attempt, FIRST_MS, MAX_MS), random)));
}
