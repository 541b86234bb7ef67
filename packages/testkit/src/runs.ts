/** How often a property is tried: 1,000 times in `npm test`, 100,000 times in `npm run test:long`. */
export const runs = process.env.CAIRN_LONG === "1" ? 100_000 : 1_000;
