import { addAbortListener } from "node:events";

/** Waits for work that several callers may share: a caller that aborts only stops waiting. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, promise]);
}
