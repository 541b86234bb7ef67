/**
 * Measures times and heap sizes. Other work on the machine and garbage collections only ever make a run slower. So each
 * time is the median of many short samples, or the fastest of a few long runs. Everything is measured in one process
 * after a warm-up.
 */

export interface Spread {
  readonly median: number;
  readonly p99: number;
}

export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p99: at(0.99) };
}

export function timeOnce(run: () => unknown): number {
  const start = performance.now();
  keep(run());
  return performance.now() - start;
}

/**
 * A run of more than this many milliseconds leaves so much garbage that the next one is slower, so garbage is collected
 * in between.
 */
const LONG_RUN = 20;

/** Milliseconds of the fastest of several runs, each over its own input. */
export function fastest<T>(runs: number, prepare: () => T, run: (input: T) => unknown): number {
  return fastestPair(runs, prepare, run, () => null)[0];
}

/**
 * Like `fastest`, for two operations that are compared. Their runs alternate, so that both have the same conditions.
 */
export function fastestPair<T>(
  runs: number,
  prepare: () => T,
  first: (input: T) => unknown,
  second: () => unknown,
): [first: number, second: number] {
  collectGarbage();
  let best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let nth = 0; nth < runs; nth++) {
    const input = prepare();
    if (best[0] > LONG_RUN) collectGarbage();
    const one = timeOnce(() => first(input));
    if (best[1] > LONG_RUN) collectGarbage();
    best = [Math.min(best[0], one), Math.min(best[1], timeOnce(second))];
  }
  return best;
}

/** Heap in use after a full collection, in bytes. */
export function settledHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error("Run with node --expose-gc: `npm run bench:timeline` does.");
  globalThis.gc();
}

const sink: { value: unknown } = { value: undefined };

/** Stores a result, so that the compiler cannot remove the work that made it. */
export function keep(value: unknown): void {
  sink.value = value;
}
