/**
 * How much longer a function takes when its input doubles: near 2 for linear work, near 4 for quadratic.
 * Each size is timed several times and the fastest run counts, which keeps other load on the machine out of the figure.
 */
export function growthOnDoubling<T>(makeInput: (size: number) => T, run: (input: T) => unknown, size: number): number {
  const once = fastest(makeInput(size), run);
  const twice = fastest(makeInput(size * 2), run);
  return twice / Math.max(once, 0.05);
}

function fastest<T>(input: T, run: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5; attempt++) {
    const start = performance.now();
    run(input);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
