/**
 * Closes what a start has opened if a later step fails: the last one first. It is an `AsyncDisposableStack`, which
 * Node 22 lacks, with only what a start needs.
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

  /** Runs every step, even if one fails. Throws the error of the last one that failed. */
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
