/**
 * How slowly a request may come. A sender has some time to begin with, and more for every byte that comes: a large file
 * over a slow line is waited for, however long it takes, and one who sends a byte now and then is not.
 */
import { CairnError } from "@cairn/timeline";

export interface Pace {
  /** For the headers, and for the body to begin. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** A phone far from its mast is faster than that. */
export const PACE: Pace = { graceMs: 20_000, bytesPerSecond: 4_000 };

/** Throws `too_slow`. */
export async function* paced(
  source: AsyncIterable<Uint8Array>,
  { graceMs, bytesPerSecond }: Pace,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  // What we take to deal with what came is not the sender's time.
  let waited = 0;
  try {
    for (;;) {
      const began = performance.now();
      const next = await inTime(chunks.next(), graceMs + (size / bytesPerSecond) * 1_000 - waited);
      waited += performance.now() - began;
      if (next.done === true) return;
      size += next.value.byteLength;
      yield next.value;
    }
  } finally {
    // Nobody waits for the rest, nor for an answer: a sender that is gone cannot be told to stop.
    chunks.return?.().catch(() => undefined);
  }
}

async function inTime<T>(coming: Promise<T>, ms: number): Promise<T> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      tooLate.reject(
        new CairnError("too_slow", "The request body arrived too slowly. Send it again over a faster connection."),
      ),
    Math.max(0, ms),
  );
  try {
    return await Promise.race([coming, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
