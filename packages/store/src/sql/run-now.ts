/** Runs work on a database that answers synchronously, as SQLite does. */
import { PAUSE, type Work } from "./work.ts";

export function runNow<T>(work: Work<T>): T {
  let step = work.next();
  while (step.done !== true && step.value === PAUSE) step = work.next();
  if (step.done !== true)
    throw new Error("The database must answer synchronously here, but it returned a pending result.");
  return step.value;
}
