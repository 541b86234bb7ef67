/** Waits for the first signal to stop. A second one ends the process at once, as by default. */
import { once } from "node:events";

export async function untilTold(): Promise<void> {
  const told = new AbortController();
  const { signal } = told;
  const either = ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal }));
  await Promise.race(either);
  // The other listener is cancelled, which rejects its promise.
  for (const waiting of either) waiting.catch(() => undefined);
  told.abort();
}
