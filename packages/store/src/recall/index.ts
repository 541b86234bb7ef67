/** Recall: text analysis and ranking, pure. The store's index and the reference store are made of it. */
export { type AllWords, allWordsOf, hasRuns } from "./all-words.ts";
export { analyseQuery, analyseText, countTerms, type QueryGroup } from "./analyse.ts";
export { excerptOf } from "./excerpt.ts";
export { NearRepeats } from "./near-repeat.ts";
export { type Postings, type RankedTexts, Ranking } from "./rank.ts";
