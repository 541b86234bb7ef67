/** Recall: text analysis and ranking, without side effects. The store's index and the reference store use it. */
export { analyseQuery, analyseText, countTerms } from "./analyse.ts";
export { excerptOf } from "./excerpt.ts";
export { NearRepeats } from "./near-repeat.ts";
export { type Postings, Ranking } from "./rank.ts";
