/** Lists what the model can use: its notes about the user, and the documents that it can search and read. */
import { answerQuestion } from "./answer-question.ts";
import { findQuotes } from "./find-quotes.ts";
import { nameOf } from "./passages.ts";
import { quoted } from "./recall.ts";
import { placeName } from "./search-place.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { quoteList, withoutTokens } from "./wording.ts";

const MAX_NOTES = 20;
const MAX_QUOTES = 4;
/** Words with which users say their names. */
const NAMING = ["name", "call", "heiße", "appelle"];
const MAX_FILES = 50;
const MAX_TITLE_LENGTH = 200;
/** Statements of the user about themselves. */
const ABOUT_ME = /(?<!\p{L})(?:i|i'm|i’m|my|ich|mein|meine|meinen|je|j'|j’|mon|ma|mes)(?!\p{L})/iu;

/** Answers a question about the user from what the user said, or from attached files. */
export function answerAboutUser(situation: Situation): OfflineDecision {
  const { passages, phrases, said, timeline } = situation;
  if (timeline.turns.some(({ attachments }) => attachments.length > 0)) return answerQuestion(situation, said, null);
  const own = passages.filter(({ kind }) => kind === "note" || kind === "said");
  const asked = /\bname\b|\bhei(?:ss|ß)|appelle|\bwho am i\b/i.test(said) ? [said, ...NAMING] : [said];
  const quotes = asked.map((question) => findQuotes(question, own, MAX_QUOTES)).find((found) => found.length > 0) ?? [];
  const notes = quotes.filter(({ passage }) => passage.kind === "note").map(({ text }) => text);
  const once = quotes.filter(
    ({ passage, text }) => passage.kind === "note" || !notes.some((note) => text.includes(note)),
  );
  if (once.length > 0) return answer(situation.introduced(quoteList(once, phrases)));
  return answer(situation.introduced(`${phrases.notToldMe} ${phrases.howToChangeNotes}`));
}

/** Lists the notes about the user, and what the user said about themselves. */
export function knownAboutUser(situation: Situation): OfflineDecision {
  const { passages, phrases } = situation;
  const texts = (kind: "note" | "said") => [
    ...new Set(passages.filter((passage) => passage.kind === kind).map(({ text }) => text.trim())),
  ];
  const notes = texts("note");
  const said = texts("said").filter((text) => ABOUT_ME.test(text) && !notes.some((note) => text.includes(note)));
  const lines = [
    ...notes.map((note) => phrases.fromNotes(quoted(note))),
    ...said.map((text) => phrases.youSaid(quoted(text))),
  ];
  if (lines.length === 0) return answer(situation.introduced(`${phrases.knowNothing} ${phrases.howToChangeNotes}`));
  const list = bulleted(situation, lines.slice(-MAX_NOTES), lines.length);
  return answer(situation.introduced(`${phrases.yourNotes}\n\n${list}\n\n${phrases.howToChangeNotes}`));
}

/** Lists the titles of the library and the attached files. */
export function knownDocuments(situation: Situation): OfflineDecision {
  const { phrases, timeline } = situation;
  const attached = [
    ...new Set(timeline.turns.flatMap(({ attachments }) => attachments.map(({ path }) => nameOf(path)))),
  ];
  const files =
    attached.length === 0
      ? phrases.nothingAttached
      : `${phrases.attachedFiles}\n\n${bulleted(situation, attached.slice(0, MAX_FILES).map(asTitle), attached.length)}`;
  const isOfAttached = /\battach|angeh[aä]ng|\bjoint/i.test(situation.said);
  return answer(situation.introduced(isOfAttached ? files : `${describeLibrary(situation)}\n\n${files}`));
}

function describeLibrary(situation: Situation): string {
  const { listing, offered, phrases, place } = situation;
  if (place === null) return offered.has("web_tools.web_search") ? phrases.unknownPlace : phrases.noSearch;
  const name = placeName(place, phrases);
  if (listing === null) return phrases.searchesService(name);
  if ("failed" in listing) return phrases.libraryFailed(name, listing.failed);
  if (listing.count === 0) return phrases.libraryEmpty(name);
  return `${phrases.libraryHolds(name, listing.count)}\n\n${bulleted(situation, listing.titles.map(asTitle), listing.count)}`;
}

function bulleted({ phrases }: Situation, shown: readonly string[], count: number): string {
  const more = count > shown.length ? [phrases.andMore(count - shown.length)] : [];
  return [...shown, ...more].map((line) => `- ${line}`).join("\n");
}

function asTitle(title: string): string {
  return withoutTokens(title.replace(/\s+/g, " ")).slice(0, MAX_TITLE_LENGTH).toWellFormed().trim();
}
