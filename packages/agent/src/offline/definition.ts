/** Recognises questions about the meaning of a term, and sentences that define a term. */
import { folded } from "./phrases/language.ts";
import { wordsOf } from "./words.ts";

const ASKS =
  /^(?:so |and )?(?:what(?:'s| is| are| does)|explain|define|was (?:ist|sind|bedeutet)|erklare(?: mir)?|qu'est-ce (?:que c'est que |qu'|que )|c'est quoi|explique(?:-moi)?)\s*(?:an? |the |eine?n? |de[rn] |die |das |une? |l[ae] |les |l')?(\S.{0,60}?)(?: mean)?\s*[?.!]*$/i;
const SAYS = /^(?:(?:an?|the|eine?|der|die|das|une?|l[ae]|les)\s+)?(\S.{0,60}?) (?:is|are|means|ist|sind|est|sont) /i;

/** The term that a question asks about, as words; null if the question asks for something else. */
export function definedTerm(question: string): readonly string[] | null {
  const words = wordsOf(ASKS.exec(folded(question.trim()))?.[1] ?? "");
  return words.length > 0 ? words : null;
}

/** Whether the sentence defines the term: it begins with the term and continues with a word such as "is". */
export function definesTerm(sentence: string, term: readonly string[]): boolean {
  const subject = wordsOf(SAYS.exec(sentence.replace(/[*_`]/g, ""))?.[1] ?? "");
  return subject.length === term.length && subject.every((word, nth) => word === term[nth]);
}
