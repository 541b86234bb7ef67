/**
 * Closes what a start has opened, in reverse order, if a later step fails. `AsyncDisposableStack` would do the same,
 * but Node 22 lacks it.
 */
export class Undo implements AsyncDisposable {
  #steps: (() => unknown)[] = [];

  defer(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Registers how to close the value, and returns the value. */
  adopt<T>(value: T, close: (value: T) => unknown): T {
    this.defer(() => close(value));
    return value;
  }

  /** Called when the start has succeeded: nothing will be closed. */
  cancel(): void {
    this.#steps = [];
  }

  /** Runs every step, even if one fails. Throws the error of the last failed step. */
  async [Symbol.asyncDispose](): Promise<void> {
    const step = this.#steps.pop();
    if (step === undefined) return;
    try {
      await step();
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }
}
