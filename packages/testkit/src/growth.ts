/**
 * How much longer a function takes when its input doubles: near 2 for linear work, near 4 for quadratic.
 *
 * It is the mean over three doublings, in processor time: other load on the machine does not count, and a single
 * doubling looks steep where arrays outgrow the young heap. The fastest of several runs counts.
 */
export function growthOnDoubling<T>(makeInput: (size: number) => T, run: (input: T) => unknown, size: number): number {
  const small = fastest(makeInput(size), run);
  const large = fastest(makeInput(size * 8), run);
  // Below 50 µs the clock says little: a function that stays there on eight times the input is fast enough.
  return Math.cbrt(large / Math.max(small, 50));
}

function fastest<T>(input: T, run: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 7; attempt++) {
    const before = process.cpuUsage();
    run(input);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, user + system);
  }
  return best;
}
