/** Search in the reference store: every text of the scope is analysed for every query. */
import { type SearchHit, type SearchOptions, storeError } from "@cairn/store";
import {
  analyseQuery,
  analyseText,
  countTerms,
  excerptOf,
  NearRepeats,
  type Postings,
  Ranking,
} from "@cairn/store/recall";
import { indexRows, type TextRow } from "@cairn/timeline";
import { checkRange } from "./memory-arguments.ts";
import { eventOf, type JournalRow, type MemoryConversation } from "./memory-data.ts";

interface MemoryText extends TextRow {
  readonly conversation: string;
  readonly seq: number;
  readonly stored_at: number;
  /** Time of the text, in epoch milliseconds. */
  readonly at: number;
}

export function checkSearch({ match = "ranked", since = 0, until = 0, excerptChars = 240 }: SearchOptions): void {
  if (!["ranked", "all"].includes(match)) throw storeError("bad_argument", "`match` must be `ranked` or `all`.");
  if (Number.isNaN(since) || Number.isNaN(until))
    throw storeError("bad_argument", "`since` and `until` must be epoch milliseconds.");
  checkRange("excerptChars", excerptChars, 1, 4_000);
}

/** All hits, in order. `conversations` are those of the scope. */
export function searchConversations(
  conversations: readonly MemoryConversation[],
  query: string,
  options: SearchOptions,
): SearchHit[] {
  const found = foundIn(conversations, options.conversation);
  const texts = conversations.flatMap((each) => textsOf(each, found));
  return options.match === "all" ? listed(texts, query, options) : ranked(texts, query, options);
}

/**
 * Branches share rows, which count once: in the conversation that was asked for, in the one that appended them, in the
 * one that lists show, or else in the first.
 */
function foundIn(conversations: readonly MemoryConversation[], asked: string | undefined) {
  const found = new Map<JournalRow, { readonly rank: number; readonly of: MemoryConversation }>();
  for (const each of conversations)
    for (const row of each.journal) {
      const isAsked = each.key.conversation === asked;
      const rank = isAsked ? 3 : row.seq > each.owners.length ? 2 : each.listed ? 1 : 0;
      if (rank > (found.get(row)?.rank ?? -1)) found.set(row, { rank, of: each });
    }
  return found;
}

function textsOf(conversation: MemoryConversation, found: ReturnType<typeof foundIn>): MemoryText[] {
  const { key, journal } = conversation;
  const opened = new Map<string, string>();
  for (const row of journal) {
    const event = eventOf(row);
    if (!("unknown" in event) && event.kind === "turn.opened" && !opened.has(event.body.turn_id))
      opened.set(event.body.turn_id, event.body.ts);
  }
  const own = journal.filter((row) => found.get(row)?.of === conversation);
  return own.flatMap((row) =>
    indexRows(eventOf(row)).texts.map((text) => {
      const times = [text.ts, opened.get(text.turn_id ?? "")].map((ts) => Date.parse(ts ?? ""));
      const at = times.find((each) => !Number.isNaN(each)) ?? row.stored_at;
      return { ...text, conversation: key.conversation, seq: row.seq, stored_at: row.stored_at, at };
    }),
  );
}

function isMeant(text: MemoryText, options: SearchOptions): boolean {
  const { conversation, types, turn, forPeople = false } = options;
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = options;
  if (conversation !== undefined && text.conversation !== conversation) return false;
  if (types !== undefined && !types.includes(text.type)) return false;
  if (turn !== undefined && text.turn_id !== turn) return false;
  if (forPeople && text.internal) return false;
  return text.at >= since && text.at < until;
}

/** Lists texts, the newest first. */
function listed(texts: readonly MemoryText[], query: string, options: SearchOptions): SearchHit[] {
  const words = wordsOf(query);
  const begun = words.pop();
  if (begun === undefined) return [];
  const found = texts.filter((text) => {
    const held = wordsOf(text.text);
    return words.every((word) => held.includes(word)) && held.some((word) => word.startsWith(begun));
  });
  const groups = [...words.map((word) => ({ alternatives: [[word]] })), { alternatives: [], prefix: begun }];
  return found
    .filter((text) => isMeant(text, options))
    .reverse()
    .sort((a, b) => b.stored_at - a.stored_at)
    .map((text) => describe(text, 0, excerptOf(text.text, groups, [], options.excerptChars)));
}

function ranked(texts: readonly MemoryText[], query: string, options: SearchOptions): SearchHit[] {
  const analysed = texts.map(({ text }) => {
    const all = analyseText(text);
    return { length: all.length, terms: countTerms(all) };
  });
  const groups = analyseQuery(query);
  const listOf = (has: (term: string) => boolean): Postings => {
    const counts = analysed.map(({ terms }) => [...terms].reduce((sum, [term, n]) => sum + (has(term) ? n : 0), 0));
    const held = [...counts.keys()].filter((text) => (counts[text] ?? 0) > 0);
    return { texts: held, counts: held.map((text) => counts[text] ?? 0) };
  };
  const ranking = new Ranking(
    groups,
    {
      count: texts.length,
      words: analysed.reduce((sum, { length }) => sum + length, 0),
      lengths: analysed.map(({ length }) => length),
      next: texts.map((_, text) => messageBeside(texts, text, 1)),
      previous: texts.map((_, text) => messageBeside(texts, text, -1)),
      byAge: (a, b) => (texts[b]?.at ?? 0) - (texts[a]?.at ?? 0) || b - a,
    },
    ({ alternatives, prefix }) => [
      ...alternatives.map((terms) => [listOf((term) => terms.includes(term))]),
      ...(prefix === undefined ? [] : [[listOf((term) => term.startsWith(prefix) && !term.endsWith("\u0001"))]]),
    ],
  );
  const found = ranking.best(texts.length, (number) => {
    const text = texts[number];
    return text !== undefined && isMeant(text, options);
  });
  const repeats = new NearRepeats();
  const hits: SearchHit[] = [];
  for (const { text: number, score } of found) {
    const text = texts[number];
    if (text === undefined) continue;
    const repeated = repeats.find(text.text);
    const known = hits[repeated];
    if (known === undefined)
      hits.push(describe(text, score, excerptOf(text.text, groups, ranking.weights, options.excerptChars)));
    else hits[repeated] = { ...known, repeats: known.repeats + 1 };
  }
  return hits;
}

function messageBeside(texts: readonly MemoryText[], from: number, step: 1 | -1): number {
  const isMessage = (text: MemoryText) => text.type === "user.prompt" || text.type === "assistant.completion";
  const text = texts[from];
  if (text === undefined || !isMessage(text)) return -1;
  for (let at = from + step; ; at += step) {
    const beside = texts[at];
    if (beside?.conversation !== text.conversation) return -1;
    if (isMessage(beside)) return at;
  }
}

function describe(text: MemoryText, score: number, excerpt: string): SearchHit {
  const { conversation, seq, position, turn_id, type, path, internal, at } = text;
  const ts = new Date(at).toISOString();
  return { conversation, seq, position, turn_id, type, path, internal, ts, score, repeats: 0, excerpt };
}

/** Letters, their marks and digits, without case and accents; a mark of a script without accents stays. */
function wordsOf(text: string): string[] {
  const accents =
    /(?!\p{scx=Hiragana}|\p{scx=Katakana})[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Inherited}]/u;
  const folded = text.normalize("NFKD").replace(/\p{M}/gu, (mark) => (accents.test(mark) ? "" : mark));
  return folded.toLowerCase().match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? [];
}
