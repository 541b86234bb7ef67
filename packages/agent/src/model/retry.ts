/**
 * How long is waited before a model is asked again.
 *
 * The wait before attempt n+1 is between half and all of a second times 2^(n-1), at most a minute: the half that is left
 * to chance keeps many clients from coming back together. A provider that names a time is asked again after it and not
 * before, plus up to a tenth for the same reason; one that names more than ten minutes is not waited for at all. One that
 * names less than a second, or a date that has passed, is waited for as one that names none: without a pause, thousands
 * of requests would follow one another.
 */
import type { ModelError } from "./model-error.ts";

const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const LONGEST_ASKED_MS = 600_000;

/**
 * Milliseconds to wait after a failed attempt, counted from 1; null when the provider asks for too long. `random`: from 0
 * up to 1.
 */
export function waitBefore(
  attempt: number,
  { retryAfterMs }: Pick<ModelError, "retryAfterMs">,
  { random }: { readonly random: () => number },
): number | null {
  if (retryAfterMs !== null && retryAfterMs > LONGEST_ASKED_MS) return null;
  if (retryAfterMs !== null && retryAfterMs >= FIRST_MS) return Math.round(retryAfterMs * (1 + random() / 10));
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(ceiling * (0.5 + random() / 2)));
}
