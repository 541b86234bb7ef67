/** The sentences in which the offline model describes itself. They answer no question and are never quoted. */
import { PHRASES } from "./phrases/by-language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { sentencesOf } from "./sentences.ts";

/** A quotation in an earlier answer. It is not quoted again, because its source can be searched. */
const QUOTED = /^- .*“.*”.*$/gm;
/** Shorter sentences are ignored, because they are too likely to be part of other texts. */
const MIN_LENGTH = 12;

const ownSentences = (phrases: Phrases) =>
  [
    ...[phrases.inShort, phrases.iRan, phrases.iComputed, phrases.iWrote, phrases.whatIAm(new Set())],
    ...[phrases.realModel, phrases.otherModels, phrases.howToChangeNotes, phrases.yourNotes],
    ...[phrases.knowNothing, phrases.askMe, phrases.nothingToRead, phrases.attachSomething, phrases.youAreWelcome],
    ...[
      phrases.noteHolds,
      phrases.notCached,
      phrases.checkIt,
      phrases.noMore,
      phrases.nothingRuns,
      phrases.sameLanguage,
    ],
    ...[phrases.myLanguages, ...Object.values(phrases.beyond)],
    // These sentences end with a list of names that differs between answers, so only their beginning is compared.
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
