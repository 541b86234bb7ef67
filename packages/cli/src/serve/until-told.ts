/** Waits for the first signal to stop. A second signal ends the process at once, as without a handler. */
import { once } from "node:events";

export async function untilTold(): Promise<void> {
  const told = new AbortController();
  const { signal } = told;
  const either = ["SIGINT", "SIGTERM"].map((name) => once(process, name, { signal }));
  await Promise.race(either);
  // Cancels the other listener, whose promise then rejects.
  for (const waiting of either) waiting.catch(() => undefined);
  told.abort();
}
