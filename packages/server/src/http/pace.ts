/**
 * The minimum speed of a request. A client has some time at the start, and every byte that arrives adds time. So a
 * large file over a slow connection is accepted, but not a client that sends single bytes with long pauses.
 */
import { CairnError } from "@cairn/timeline";

export interface Pace {
  /** Time for the headers, and for the body to begin. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

/** The default minimum speed, which even a phone with a bad connection exceeds. */
export const PACE: Pace = { graceMs: 20_000, bytesPerSecond: 4_000 };

/** Throws `too_slow`. */
export async function* paced(
  source: AsyncIterable<Uint8Array>,
  { graceMs, bytesPerSecond }: Pace,
): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  // Time that the server needs between two chunks. It does not count.
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
    // The result is not awaited, because a client that has disconnected does not react.
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
