/**
 * Number of runs of a property: 40 in `npm run test:quick`, 100 in `npm test`, 100,000 in `npm run test:long`. Tests divide
 * the numbers by up to 20: with a fraction, fast-check never ends.
 */
export const runs = process.env.CAIRN_LONG === "1" ? 100_000 : process.env.CAIRN_QUICK === "1" ? 40 : 100;

/** Chooses a number, or any other value, by the size of the test run. */
export function bySize<T>({ quick, usual, long }: { readonly quick: T; readonly usual: T; readonly long: T }): T {
  return process.env.CAIRN_LONG === "1" ? long : process.env.CAIRN_QUICK === "1" ? quick : usual;
}

/** For properties with runs of a millisecond or more: a quarter of the runs, except in `npm run test:long`. */
export const costlyRuns = process.env.CAIRN_LONG === "1" ? runs : runs / 4;
