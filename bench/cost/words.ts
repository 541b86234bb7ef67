/**
 * Makes text of a given number of tokens: common words, each of which is one token with the blank before it.
 * Deterministic.
 */
const WORDS =
  "the of and to in is that for it was with as be by on not from at this but are have an they which one you were all there would their we when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three".split(
    " ",
  );

/** `seed` chooses the words: another seed gives another text. */
export function words(seed: number, tokens: number): string {
  let state = (seed * 2_654_435_761 + 1_013_904_223) >>> 0;
  const chosen: string[] = [];
  for (let nth = 0; nth < tokens; nth++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.push(WORDS[state % WORDS.length] ?? "");
  }
  return chosen.join(" ");
}
