/** What the offline model says of itself, in any of its answers. It answers no question, so it is never quoted. */
import { PHRASES } from "./phrases/by-language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { sentencesOf } from "./sentences.ts";

/** A quotation in an earlier answer. Its source can be searched again. */
const QUOTED = /^- .*“.*”.*$/gm;
/** A shorter piece of a sentence is too likely to be in other texts. */
const MIN_LENGTH = 12;

const ownSentences = (phrases: Phrases) =>
  [
    ...[phrases.inShort, phrases.iRan, phrases.iComputed, phrases.whatIAm(new Set())],
    ...[phrases.realModel, phrases.otherModels, phrases.howToChangeNotes, phrases.yourNotes],
    ...[phrases.knowNothing, phrases.askMe, phrases.nothingToRead, phrases.attachSomething, phrases.youAreWelcome],
    // The rest of the sentence is a list of names, which differs from answer to answer.
    ...[phrases.searchedInVain("", ""), phrases.notIn("")].map((sentence) => sentence.replace(/[\s.]+$/, "")),
  ]
    .flatMap(sentencesOf)
    .map(bare)
    .filter((sentence) => sentence.length >= MIN_LENGTH);

const OWN = Object.values(PHRASES).flatMap(ownSentences);

/** An answer, or a part of it, without the sentences in which the offline model describes itself. */
export function withoutOwnWords(text: string): string {
  return sentencesOf(text.replace(QUOTED, ""))
    .filter((sentence) => !isOwn(bare(sentence)))
    .join("\n\n");
}

function isOwn(sentence: string): boolean {
  if (sentence.length < MIN_LENGTH) return false;
  return OWN.some((own) => sentence.startsWith(own) || own.startsWith(sentence) || own.endsWith(sentence));
}

function bare(sentence: string): string {
  return sentence.replace(/^[_\s]+|[_\s]+$/g, "");
}
