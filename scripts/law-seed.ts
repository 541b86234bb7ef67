/**
 * The seed of property tests. `npm test` draws the same cases every time, so that it passes or fails for what was
 * changed. Long runs and hunts for flaky tests draw new cases; a failure prints its seed, and CAIRN_SEED repeats it.
 */
import fc from "fast-check";

const { CAIRN_SEED, CAIRN_LONG, CAIRN_FLAKES_ROUND } = process.env;
const drawsNewCases = CAIRN_LONG === "1" || CAIRN_FLAKES_ROUND !== undefined;

if (CAIRN_SEED !== undefined) fc.configureGlobal({ seed: Number(CAIRN_SEED) });
else if (!drawsNewCases) fc.configureGlobal({ seed: 1 });
