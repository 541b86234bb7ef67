/** Long work as a generator: its caller may let other work run at each `yield`, which does not change the result. */
export type Steps<T> = Generator<undefined, T, undefined>;

export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
