/**
 * Asking again after a while. Only errors that may pass are tried again; the last one is given on.
 *
 * The wait before attempt n+1 is between half and all of `firstMs * 2^(n-1)`, at most `longestMs`: the half that is left
 * to chance keeps many clients from coming back together. A provider that names a time is asked again after it and not
 * before, plus up to a tenth for the same reason; one that names more than `longestAskedMs` is not waited for at all.
 */
import { ModelError } from "./model-error.ts";

export interface RetryOptions {
  readonly signal: AbortSignal;
  /** Waits; throws when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** All in all; 5 by default. */
  readonly attempts?: number;
  readonly firstMs?: number;
  readonly longestMs?: number;
  readonly longestAskedMs?: number;
  /** Told before each wait. */
  readonly onWait?: (error: ModelError, ms: number, attempt: number) => void;
}

export async function withRetry<T>(run: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, sleep, attempts = 5, onWait } = options;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await run(attempt);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || error.kind !== "transient" || attempt >= attempts) throw error;
      const ms = waitBefore(attempt, error, options);
      if (ms === null) throw error;
      onWait?.(error, ms, attempt);
      await sleep(ms, signal);
    }
  }
}

/** Milliseconds to wait after a failed attempt, counted from 1; null when the provider asks for too long. */
export function waitBefore(
  attempt: number,
  { retryAfterMs }: Pick<ModelError, "retryAfterMs">,
  options: Pick<RetryOptions, "random" | "firstMs" | "longestMs" | "longestAskedMs">,
): number | null {
  const { random, firstMs = 1_000, longestMs = 60_000, longestAskedMs = 600_000 } = options;
  if (retryAfterMs !== null)
    return retryAfterMs > longestAskedMs ? null : Math.round(retryAfterMs * (1 + random() / 10));
  const ceiling = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
  return Math.round(ceiling * (0.5 + random() / 2));
}
