/**
 * Answers a question with quotations: first from the user's material, then from the rest of long files, from unread files, from a search, and from
 * the past. If nothing matches, it says so and where it looked.
 */
import { findGist, findQuotes, type Quote } from "./find-quotes.ts";
import { fetchFailure, fetchFound, fetchNamed, hasSearched, searchCall } from "./look-up.ts";
import { searchRest } from "./search-rest.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { cannotRead, IN_SHORT, listNames, quoteList } from "./wording.ts";
import { wordsOf } from "./words.ts";

const MOST_QUOTES = 4;
/** Maximum words of a question in a search of the past. */
const MOST_WORDS = 40;
/** A search always finds something. A page answers the question only if it contains half of its words. */
const LEAST_OF_PAGES = 0.5;
/** Fewer words are hardly a question; they are searched only on explicit request. */
const FEWEST_WORDS = 2;
const GIST =
  /\bsumm?ari[sz]e\b|\bsummary\b|\boverview\b|\bgist\b|\btl;?dr\b|\bwhat(?:'s| is| are| does| do)\b[^?]{0,60}\b(?:about|in (?:it|this|that|these|the|here)|say)\b|\bdescribe\b|\bread (?:it|this|that|these|the)\b/i;

/** `query`: the query of an explicit search; null without one. */
export function answerQuestion(situation: Situation, question: string, query: string | null): OfflineDecision {
  const { unread } = situation;
  const first = situation.reading([...unread.inTurn(), ...unread.named()]);
  if (first.length > 0) return { text: "I read what you gave me.", calls: first };
  // The requested content cannot be read: any other text that matches the words would answer a different question.
  if (query === null && unread.isAllUnreadable()) return answer(situation.introduced(cannotRead(unread.unreadable())));
  const named = fetchNamed(situation) ?? fetchFailure(situation);
  if (named !== null) return named;
  const found = fetchFound(situation);
  if (found !== null) return { text: "I read what I found.", calls: [found] };
  if (query !== null && !hasSearched(situation)) {
    const search = searchCall(situation, query);
    if (search !== null) return { text: "I search for that.", calls: [search] };
  }
  const quotes = quotesFor(situation, question);
  // Pages found by an earlier search do not replace a search for this question.
  if (quotes.some(({ passage }) => passage.kind !== "web") || (quotes.length > 0 && hasLookedUp(situation)))
    return present(situation, quotes);
  const further = searchRest(situation, question);
  if (further !== null) return further;
  const rest = situation.reading(unread.others());
  if (rest.length > 0) return { text: "I look into what I have not read yet.", calls: rest };
  const search = wordsOf(question).length < FEWEST_WORDS ? null : searchCall(situation, question);
  if (search !== null) return { text: "I search for that.", calls: [search] };
  if (quotes.length > 0) return present(situation, quotes);
  return searchPast(situation, question) ?? answer(nothingFound(situation, question));
}

function hasLookedUp(situation: Situation): boolean {
  return hasSearched(situation) || situation.callOf("web_tools.web_fetch") !== undefined;
}

function present(situation: Situation, quotes: readonly Quote[]): OfflineDecision {
  const missed = cannotRead(situation.unread.unreadable().filter(({ why }) => why !== ""));
  const text = situation.introduced(`${quoteList(quotes)}${missed === "" ? "" : `\n\n${missed}`}`);
  const source = quotes.find(({ passage }) => passage.sid !== null)?.passage.name;
  if (source === undefined || !situation.offered.has("suggest_followups")) return answer(text);
  const items = [`Write a report about ${source}`, `What is ${source} about?`];
  return { text, calls: [{ name: "suggest_followups", params: { items } }] };
}

function quotesFor({ turn, unread, passages }: Situation, question: string): Quote[] {
  const wantsGist = question === "" || GIST.test(question);
  const found = question === "" ? [] : findQuotes(question, passages, MOST_QUOTES, { leastOfPages: LEAST_OF_PAGES });
  if (!wantsGist) return found;
  const here = new Set([...turn.attachments.map(({ name }) => name), ...unread.namedNames()]);
  const files = passages.filter(({ kind }) => kind === "file" || kind === "web");
  const meant = files.filter(({ name }) => here.has(name));
  const gist = findGist(meant.length > 0 ? meant : files, MOST_QUOTES);
  return gist.length > 0 ? gist : found;
}

function searchPast({ timeline, turn, offered }: Situation, question: string): OfflineDecision | null {
  const words = [...new Set(wordsOf(question))].slice(0, MOST_WORDS);
  const hasPast = timeline.turns.length > 1 || timeline.summaries.length > 0;
  const isDone = turn.calls.some(({ tool }) => tool === "react.memsearch");
  if (!hasPast || isDone || words.length === 0 || !offered.has("react.memsearch")) return null;
  return { text: "I look back.", calls: [{ name: "react.memsearch", params: { query: words.join(" ") } }] };
}

export function nothingFound(situation: Situation, about: string): string {
  const { passages, unread } = situation;
  if (unread.isAllUnreadable()) return `${cannotRead(unread.unreadable())}\n\n${IN_SHORT}`;
  const read = listNames(passages.filter(({ kind }) => kind === "file" || kind === "web").map(({ name }) => name));
  const unreadable = unread.unreadable();
  const searched = hasSearched(situation) ? "I searched, and found nothing about that" : "";
  const where = read === "" ? "There is nothing here I could read yet" : `I found nothing about that in ${read}`;
  const cannot = unreadable.length === 0 ? "" : ` ${cannotRead(unreadable)}`;
  const hint = read === "" && about !== "" ? " Attach a document, or ask me to remember something." : "";
  return `${searched === "" ? where : searched}.${cannot}${hint}\n\n${IN_SHORT}`;
}
