/** Recall: text analysis and ranking, without side effects. The store's index and the reference store use it. */
export { type AllWords, allWordsOf, hasRuns } from "./all-words.ts";
export { analyseQuery, analyseText, countTerms, type QueryGroup } from "./analyse.ts";
export { excerptOf } from "./excerpt.ts";
export { NearRepeats } from "./near-repeat.ts";
export { type Postings, type RankedTexts, Ranking } from "./rank.ts";
