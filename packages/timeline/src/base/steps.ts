/**
 * Work that takes long is a generator: it pauses at each `yield`, and its caller may let other work run there. What it
 * does and returns does not depend on the pauses.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
