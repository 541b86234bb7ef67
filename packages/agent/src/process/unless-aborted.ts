import { addAbortListener } from "node:events";

/** Waits for work that several callers may share, or that ignores the signal: an abort only ends the wait. */
export async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, promise]);
}
