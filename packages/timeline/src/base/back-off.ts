/** The wait after several failures in a row. The wait doubles with each failure, from `firstMs` to `maxMs`. */
export function backOff(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
}

/** A wait from `ms / 2` to `ms`, so that many clients do not return at the same time. `random`: from 0 up to 1. */
export function jittered(ms: number, random: () => number): number {
  return ms * (0.5 + random() / 2);
}
