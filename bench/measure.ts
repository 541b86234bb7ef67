/**
 * Timing and heap figures, and what they leave out.
 *
 * Other work on the machine and a passing garbage collection only ever make a run slower, so a figure is the median of
 * many short samples, or the fastest of a few long runs. Everything is measured in one process after a warm-up.
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

/** Milliseconds of one run. */
export function timeOnce(run: () => unknown): number {
  const start = performance.now();
  keep(run());
  return performance.now() - start;
}

/** Past this many milliseconds a run leaves enough garbage behind to slow the next: it is collected in between. */
const LONG_RUN = 20;

/** Milliseconds of the fastest of several runs, each over an input of its own. */
export function fastest<T>(runs: number, prepare: () => T, run: (input: T) => unknown): number {
  return fastestPair(runs, prepare, run, () => null)[0];
}

/** As `fastest`, for two operations that are compared: they take turns, so that both meet the same machine. */
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

/** Holds on to a result, so that the compiler cannot leave out the work that made it. */
export function keep(value: unknown): void {
  sink.value = value;
}
