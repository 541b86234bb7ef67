/** Runs work on a database that answers synchronously, as SQLite does. */
import { PAUSE, type Work } from "./work.ts";

export function runNow<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true && step.value === PAUSE) step = work.next();
  if (step.done !== true) throw new Error("This work waits for a database that does not answer synchronously.");
  return step.value;
}
