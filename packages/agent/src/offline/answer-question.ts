/**
 * Answers a question with quotations: first from the user's material, then from the rest of long files, from unread
 * files, from a search, and from the past. If nothing matches, the answer says where the model looked.
 */

import { answerFromTable } from "./answer-table.ts";
import { findGist, findQuotes, type Quote } from "./find-quotes.ts";
import { intentOf } from "./intent.ts";
import { GIST } from "./intent-forms.ts";
import { fetchFailure, fetchFound, fetchNamed, hasSearched, searchCall } from "./look-up.ts";
import { withoutPaths } from "./named-paths.ts";
import { folded, isForeign, languageOf } from "./phrases/language.ts";
import { placeName } from "./search-place.ts";
import { searchRest } from "./search-rest.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { countNamed } from "./table-words.ts";
import { cannotRead, listNames, quoteLine, quoteList } from "./wording.ts";
import { wordsOf } from "./words.ts";

const MAX_QUOTES = 4;
/** Maximum words of a question in a search of the past. */
const MAX_WORDS = 40;
/** A search finds pages for any question, so a sentence of a page must have more than half of the question's words. */
const MIN_PAGE_SCORE = 0.51;
const MIN_MORE_SCORE = 0.2;
const ASKING =
  /^(?:what|who|how|where|when|why|which|is|are|can|does|explain|define|was|wer|wie|wo|wann|warum|welche|erklär|qu|comment|pourquoi|où|quand|explique)/i;
/** A message with fewer words and no question mark is hardly a question. It is searched only on explicit request. */
const MIN_WORDS = 2;
/** Shorter file names are too likely to occur in a message by chance. */
const MIN_NAME = 4;
/** `query`: the query of an explicit search; null without one. */
export function answerQuestion(situation: Situation, question: string, query: string | null): OfflineDecision {
  const { phrases, unread } = situation;
  const first = situation.reading([...unread.inTurn(), ...unread.named()]);
  if (first.length > 0) return { text: phrases.readGiven, calls: first };
  const pictures = query === null ? picturesMeant(situation, question) : [];
  if (pictures.length > 0) return answer(situation.introduced(phrases.cannotSee(listNames(pictures, phrases))));
  // The file that the message asks about cannot be read, and other texts would answer a different question.
  if (query === null && unread.isAllUnreadable())
    return answer(situation.introduced(cannotRead(unread.unreadable(), phrases)));
  const named = fetchNamed(situation) ?? fetchFailure(situation);
  if (named !== null) return named;
  const found = fetchFound(situation);
  if (found !== null) return { text: phrases.readFound, calls: [found] };
  if (query !== null && !hasSearched(situation)) {
    const search = searchCall(situation, query);
    if (search !== null) return { text: phrases.searching, calls: [search] };
  }
  const computed = query === null ? answerFromTable(situation, withoutPaths(question)) : null;
  if (computed !== null) return computed;
  const quotes = quotesFor(situation, question);
  // Pages found by an earlier search do not replace a search for this question.
  if (quotes.some(({ passage }) => passage.kind !== "web") || (quotes.length > 0 && hasLookedUp(situation)))
    return present(situation, quotes);
  const further = searchRest(situation, question);
  if (further !== null) return further;
  const rest = situation.reading(unread.others());
  if (rest.length > 0) return { text: phrases.readUnread, calls: rest };
  const isQuestion = /\?\s*$/.test(question) || ASKING.test(question) || wordsOf(question).length >= MIN_WORDS;
  const search = isQuestion ? searchCall(situation, question, true) : null;
  if (search !== null) return { text: phrases.searching, calls: [search] };
  if (quotes.length > 0) return present(situation, quotes);
  return searchPast(situation, question) ?? answer(nothingFound(situation, question));
}

const PICTURE = /\b(?:picture|image|photo|screenshot|bild|foto)s?\b/i;

/** The pictures that the message means: its own attachments, or all earlier pictures if it mentions a picture. */
function picturesMeant({ timeline, turn }: Situation, question: string): string[] {
  const isPicture = ({ mime }: { readonly mime: string }) => /^image\/(?!svg)/.test(mime);
  const here = turn.attachments;
  if (here.length > 0) return here.every(isPicture) ? here.map(({ name }) => name) : [];
  const earlier = timeline.turns.flatMap(({ attachments }) => attachments).filter(isPicture);
  return PICTURE.test(question) ? earlier.map(({ name }) => name) : [];
}

function hasLookedUp(situation: Situation): boolean {
  return hasSearched(situation) || situation.callOf("web_tools.web_fetch") !== undefined;
}

function present(situation: Situation, quotes: readonly Quote[]): OfflineDecision {
  const { phrases } = situation;
  const missed = cannotRead(
    situation.unread.unreadable().filter(({ why }) => why !== ""),
    phrases,
  );
  const text = situation.introduced(`${quoteList(quotes, phrases)}${missed === "" ? "" : `\n\n${missed}`}`);
  const source = quotes.find(({ passage }) => passage.sid !== null)?.passage.name;
  if (source === undefined || !situation.offered.has("suggest_followups")) return answer(text);
  const items = [...phrases.followups(source)];
  return { text, calls: [{ name: "suggest_followups", params: { items } }] };
}

function quotesFor({ pasted, phrases, said, turn, unread, passages }: Situation, question: string): Quote[] {
  const wantsGist = question === "" || GIST.test(question);
  const rules = { leastOfPages: MIN_PAGE_SCORE, isForeign: languageOf(question) !== "en" };
  const found = question === "" ? [] : findQuotes(question, passages, MAX_QUOTES, rules);
  if (!wantsGist) return found;
  const own = pasted === null ? [] : [phrases.yourMessage];
  const here = new Set([...own, ...turn.attachments.map(({ name }) => name), ...unread.namedNames()]);
  const files = passages.filter(({ kind }) => kind === "file" || kind === "web");
  const message = said.toLowerCase();
  const isNamed = (name: string) => name.length >= MIN_NAME && message.includes(name.toLowerCase());
  const meant = files.filter(({ name }) => here.has(name) || isNamed(name));
  // If many pages were found, sentences about the topic say more than sentences with the most frequent words.
  if (meant.length === 0 && found.length > 0 && !files.some(({ kind }) => kind === "file")) return found;
  const gist = findGist(meant.length > 0 ? meant : files, sentencesWanted(question) ?? MAX_QUOTES);
  return gist.length > 0 ? gist : found;
}

const WANTED =
  /\b(one|two|three|four|five|six|zwei|drei|vier|funf|sechs|deux|trois|quatre|cinq|\d{1,2})\s(?:\p{L}+\s)?(?:sentences?|bullets?|points?|lines?|satz(?:en?)?|punkten?|phrases?|lignes?)\b/iu;
const MAX_WANTED = 20;

/** The number in "summarise this in two sentences". */
function sentencesWanted(question: string): number | null {
  const count = countNamed(WANTED.exec(folded(question))?.[1] ?? "");
  return count === null || count === 0 ? null : Math.min(count, MAX_WANTED);
}

function searchPast({ offered, phrases, timeline, turn }: Situation, question: string): OfflineDecision | null {
  const words = [...new Set(wordsOf(question))].slice(0, MAX_WORDS);
  const hasPast = timeline.turns.length > 1 || timeline.summaries.length > 0;
  const isDone = turn.calls.some(({ tool }) => tool === "react.memsearch");
  if (!hasPast || isDone || words.length === 0 || !offered.has("react.memsearch")) return null;
  return { text: phrases.lookBack, calls: [{ name: "react.memsearch", params: { query: words.join(" ") } }] };
}

/** Further quotations for the question that the user asked before this message. */
export function quoteMore(situation: Situation): OfflineDecision {
  const { passages, phrases, timeline } = situation;
  const before = timeline.turns.slice(0, -1);
  const asks = (message: string) => ["question", "search"].includes(intentOf(message).kind);
  const question = before.flatMap(({ prompts }) => prompts).findLast(asks);
  if (question === undefined) return answer(situation.introduced(phrases.askMe));
  const said = before.map((turn) => turn.answer ?? "").join("\n");
  const rules = { leastScore: MIN_MORE_SCORE, leastBeside: MIN_MORE_SCORE, isForeign: languageOf(question) !== "en" };
  const quotable = passages.filter(({ kind }) => kind === "file" || kind === "web");
  const found = findQuotes(question, quotable, MAX_QUOTES * 5, rules).filter(
    (quote) => !said.includes(quoteLine(quote, phrases)),
  );
  return answer(found.length === 0 ? phrases.noMore : quoteList(found.slice(0, MAX_QUOTES), phrases));
}

/** Says where the model looked, and how to use a language model instead. */
export function nothingFound(situation: Situation, about: string): string {
  const { passages, phrases, place, unread } = situation;
  const unreadable = cannotRead(unread.unreadable(), phrases);
  if (unread.isAllUnreadable()) return `${unreadable}\n\n${phrases.inShort}`;
  const earlier = passages.some(({ kind }) => kind === "earlier") ? [phrases.earlierTurns] : [];
  const namesOf = (...kinds: readonly string[]) =>
    listNames([...passages.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name), ...earlier], phrases);
  const files = namesOf("file");
  const where = hasSearched(situation)
    ? phrases.searchedInVain(place === null ? "" : placeName(place, phrases), files)
    : files !== ""
      ? phrases.notIn(files)
      : place === null
        ? phrases.nothingToRead
        : phrases.askMe;
  const hint = namesOf("file", "web") === "" && about !== "" && where !== phrases.askMe ? phrases.attachSomething : "";
  // The words of a question are not translated, so a question in German finds little in an English document.
  const languageHint = files !== "" && languageOf(about) !== "en" ? phrases.sameLanguage : "";
  const known = isForeign(about) ? phrases.myLanguages : "";
  const said = [where, unreadable, hint, languageHint, known].filter((part) => part !== "").join(" ");
  return `${said}\n\n${phrases.inShort} ${phrases.realModel}`;
}
