/** Looks something up, once per turn: fetches the pages that the message names, or searches and fetches the best. */

import { answer, type OfflineCall, type OfflineDecision, type Situation } from "./situation.ts";
import { englishQuery, wordsOf } from "./words.ts";

const SEARCH = "web_tools.web_search";
const FETCH = "web_tools.web_fetch";
const MAX_NAMED = 5;
const MAX_FETCHED = 4;
const MAX_QUERY_LENGTH = 300;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`)\]]{1,2000}/gi;

/** Fetches the pages that this message names; null when it names none, or when they were already tried. */
export function fetchNamed(situation: Situation): OfflineDecision | null {
  const urls = namedAddresses(situation.said);
  if (urls.length === 0 || !situation.offered.has(FETCH) || situation.callOf(FETCH) !== undefined) return null;
  return { text: situation.phrases.fetching(urls.length), calls: [fetching(urls)] };
}

/** The reason why a page that the message names could not be fetched; null if all pages were fetched. */
export function fetchFailure(situation: Situation): OfflineDecision | null {
  const call = situation.callOf(FETCH);
  const failed = call === undefined ? undefined : situation.failureOf(call);
  if (failed === undefined || namedAddresses(situation.said).length === 0) return null;
  return answer(situation.introduced(situation.phrases.notFetched(failed)));
}

/** The search call, once per turn; none for an empty query. It also searches Cairn's page of frequent questions. */
export function searchCall(situation: Situation, query: string, isQuestion = false): OfflineCall | null {
  const asked = query.replace(/\s+/g, " ").trim().slice(0, MAX_QUERY_LENGTH).toWellFormed();
  if (wordsOf(asked).length === 0 || !situation.offered.has(SEARCH) || situation.callOf(SEARCH) !== undefined)
    return null;
  const english = englishQuery(asked);
  const queries = english === null ? [asked] : [english, asked];
  if (isQuestion && situation.place?.kind === "sample") queries.push(`Questions and answers: ${queries[0]}`);
  return { name: SEARCH, params: { queries, n: 6 } };
}

/** Fetches the best search results, once per turn. */
export function fetchFound(situation: Situation): OfflineCall | null {
  const search = situation.callOf(SEARCH);
  if (search === undefined) return null;
  const found = situation.turn.findings.find(({ callId, path }) => callId === search.id && path.startsWith("so:"));
  const rows = rowsOf(found?.text ?? "").slice(0, MAX_FETCHED);
  if (rows.length === 0) return null;
  if (situation.offered.has(FETCH)) {
    const isFetched = situation.turn.calls.some(({ tool, params }) => tool === FETCH && params.includes(urlOf(rows)));
    return isFetched ? null : fetching(rows.map(({ url }) => url));
  }
  const paths = rows.map(({ sid }) => `so:sources_pool[${sid}]`);
  const isRead = situation.turn.calls.some(
    ({ tool, params }) => tool === "react.read" && params.includes(paths[0] ?? ""),
  );
  return isRead ? null : (situation.reading(paths)[0] ?? null);
}

export function hasSearched(situation: Situation): boolean {
  return situation.callOf(SEARCH) !== undefined;
}

function fetching(urls: readonly string[]): OfflineCall {
  return { name: FETCH, params: { urls: [...urls] } };
}

function namedAddresses(said: string): string[] {
  const found = [...said.matchAll(ADDRESS)].map(([url]) => url.replace(/(?<![.,;:!?])[.,;:!?]+$/, ""));
  return [...new Set(found)].filter((url) => URL.canParse(url)).slice(0, MAX_NAMED);
}

interface FoundRow {
  readonly sid: number;
  readonly url: string;
}

function rowsOf(text: string): FoundRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    return []; // The result was cut or pruned, so only the extracts can be used.
  }
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => (isFound(row) ? [{ sid: row.sid, url: row.url }] : []));
}

function isFound(row: unknown): row is FoundRow {
  if (typeof row !== "object" || row === null || !("sid" in row) || !("url" in row)) return false;
  return typeof row.sid === "number" && typeof row.url === "string" && row.url !== "";
}

/** The URL as written in a call's parameters. */
function urlOf([first]: readonly FoundRow[]): string {
  return JSON.stringify(first?.url ?? "");
}
