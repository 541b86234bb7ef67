/** The wait after some failures in a row: it doubles from `firstMs` to `maxMs`. */
export function backOff(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1));
}
