/**
 * How much longer a function takes when its input doubles: near 2 for linear work, near 4 for quadratic.
 *
 * The result is the mean over three doublings, in processor time: a single doubling looks steep when arrays outgrow the
 * young heap. Small and large runs alternate and the fastest of each counts: two of each (three in a long run), and up
 * to seven runs while the growth looks steep. A steep result is measured again, at most five times, and the lowest
 * counts: a busy machine makes a measurement look steep now and then, but quadratic work is steep every time.
 */
import { bySize } from "./runs.ts";

export function growthOnDoubling<T>(makeInput: (size: number) => T, run: (input: T) => unknown, size: number): number {
  const [small, large] = [makeInput(size), makeInput(size * 8)];
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 6 && least > STEEP; attempt++) least = Math.min(least, growth(small, large, run));
  return least;
}

const STEEP = 2.5;
const MIN_TRIES = bySize({ quick: 2, usual: 2, long: 3 });

function growth<T>(small: T, large: T, run: (input: T) => unknown): number {
  let [fastSmall, fastLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let figure = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < 7 && (nth < MIN_TRIES || figure > STEEP); nth++) {
    fastSmall = Math.min(fastSmall, processorTime(small, run));
    fastLarge = Math.min(fastLarge, processorTime(large, run));
    // Below 50 µs the clock is too coarse. A function that takes less with eight times the input is fast enough.
    figure = Math.cbrt(fastLarge / Math.max(fastSmall, 50));
  }
  return figure;
}

function processorTime<T>(input: T, run: (input: T) => unknown): number {
  const before = process.cpuUsage();
  run(input);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
