/**
 * Measures how long a request would wait for the event loop, by processor time. Unlike wall-clock time, the result does
 * not depend on other programs of the machine. The result does not include waits for the disk.
 */

export interface LoopWait {
  /** Share of the time, in percent, at which a request that arrives would wait more than 2 ms. */
  readonly over2: number;
  /** Milliseconds of the longest iteration. */
  readonly longest: number;
}

const LIMIT_MS = 2;

export class LoopTime {
  #began = performance.now();
  #used = used();
  #over = 0;
  #longest = 0;

  constructor() {
    this.#watch();
  }

  /** Returns the measurements since the last report. */
  report(): LoopWait {
    const wait = { over2: (100 * this.#over) / (performance.now() - this.#began), longest: this.#longest };
    [this.#began, this.#over, this.#longest] = [performance.now(), 0, 0];
    return wait;
  }

  /** The event loop calls this once in each iteration. Without `unref`, the event loop would never sleep. */
  #watch(): void {
    const iteration = used() - this.#used;
    this.#used += iteration;
    this.#over += Math.max(0, iteration - LIMIT_MS);
    this.#longest = Math.max(this.#longest, iteration);
    setImmediate(() => this.#watch()).unref();
  }
}

/** Milliseconds of processor time of this thread. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
