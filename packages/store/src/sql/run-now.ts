/** Runs work on a database that answers synchronously, as SQLite does. */
import type { Work } from "./work.ts";

export function runNow<T>(work: Work<T>): T {
  const step = work.next();
  if (step.done !== true) throw new Error("This work waits for a database that does not answer synchronously.");
  return step.value;
}
