/** How many programs run at a time in this process; the others wait in the order they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` when a slot is free. Aborting while it waits gives its place up. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#give();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Whose turn it is no longer waits, and can no longer give its place up.
    const enter = () => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(enter), 1);
      reject(signal.reason);
    };
    this.#waiting.push(enter);
    signal.addEventListener("abort", leave, { once: true });
    await promise;
  }

  #give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
