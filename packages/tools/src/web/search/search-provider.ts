/** A search provider: answers a query with hits, best first, or throws a `CairnError`. Hits are untrusted. */
import { CairnError } from "@cairn/timeline/error";

export const FRESHNESS = ["day", "week", "month", "year"] as const;
export type Freshness = (typeof FRESHNESS)[number];

export interface SearchRequest {
  readonly query: string;
  /** Maximum number of hits, at least 1. */
  readonly n: number;
  /** Maximum age of pages. A provider that does not know the age of a page includes it. */
  readonly freshness?: Freshness | undefined;
}

export interface SearchHit {
  readonly url: string;
  readonly title: string;
  /** The part of the page that matches the query; plain text. */
  readonly text: string;
  /** The whole page, if the provider has it and it is short. */
  readonly content?: string | undefined;
  readonly author?: string | undefined;
  /** ISO-8601. */
  readonly published?: string | undefined;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** Remarks for the reader, one sentence each: engines that did not answer, files that cannot be read. */
  readonly warnings: readonly string[];
}

/** A document that only its provider can open. */
export interface OpenedDocument {
  readonly title: string;
  readonly text: string;
  readonly mime: string;
  readonly author?: string | undefined;
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
}

/** The documents of a provider that has a limited number of them. */
export interface ListedTitles {
  /** The titles of the first documents, in the order of their paths. */
  readonly titles: readonly string[];
  /** The number of all documents. */
  readonly count: number;
}

export interface SearchProvider {
  readonly name: string;
  search(request: SearchRequest, options: { readonly signal: AbortSignal }): Promise<SearchAnswer>;
  /** The whole document of a hit whose URL only this provider can open; null for any other URL. */
  open?(url: string, options: { readonly signal: AbortSignal }): Promise<OpenedDocument | null>;
  /** The titles of its documents. A provider that searches the web has none. */
  titles?(options: { readonly signal: AbortSignal }): Promise<ListedTitles>;
  close(): Promise<void>;
}

export function searchError(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): CairnError {
  return new CairnError(code, message, details);
}

/** Freshness as a duration, for providers that compare dates themselves. */
export const FRESHNESS_MS: Readonly<Record<Freshness, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 31 * 86_400_000,
  year: 366 * 86_400_000,
};
