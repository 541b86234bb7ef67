import { addAbortListener } from "node:events";

/** Waits for work that other callers may share, or that ignores aborts. An abort ends the wait and not the work. */
export async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, promise]);
}
