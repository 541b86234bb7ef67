/**
 * The seed of property tests. `npm test` always draws the same cases, so its result depends only on the code. Long runs
 * and searches for flaky tests draw new cases; a failure prints its seed, and CAIRN_SEED repeats it.
 */
import fc from "fast-check";

const { CAIRN_SEED, CAIRN_LONG, CAIRN_FLAKES_ROUND } = process.env;
const drawsNewCases = CAIRN_LONG === "1" || CAIRN_FLAKES_ROUND !== undefined;

if (CAIRN_SEED !== undefined) fc.configureGlobal({ seed: Number(CAIRN_SEED) });
else if (!drawsNewCases) fc.configureGlobal({ seed: 1 });
