/**
 * The search port: whatever can answer a query with pages. A provider gives hits best first, at most as many as asked
 * for; it answers or throws a `CairnError`, and nothing in a hit is trusted by whoever reads it.
 */
import { CairnError } from "@cairn/timeline/error";

export const FRESHNESS = ["day", "week", "month", "year"] as const;
export type Freshness = (typeof FRESHNESS)[number];

export interface SearchRequest {
  readonly query: string;
  /** Hits wanted, from 1. */
  readonly n: number;
  /** Only what is no older. A provider that cannot tell leaves the hit in. */
  readonly freshness?: Freshness | undefined;
}

export interface SearchHit {
  readonly url: string;
  readonly title: string;
  /** What of the page speaks to the query; plain text. */
  readonly text: string;
  /** All of the page, where the provider has it and it is short. */
  readonly content?: string | undefined;
  readonly author?: string | undefined;
  /** ISO-8601. */
  readonly published?: string | undefined;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** What the reader of the hits should know, a sentence each: engines that did not answer, files that cannot be read. */
  readonly warnings: readonly string[];
}

/** A document only its provider can open. */
export interface OpenedDocument {
  readonly title: string;
  readonly text: string;
  readonly mime: string;
  readonly author?: string | undefined;
  readonly published?: string | undefined;
  readonly modified?: string | undefined;
}

export interface SearchProvider {
  readonly name: string;
  search(request: SearchRequest, options: { readonly signal: AbortSignal }): Promise<SearchAnswer>;
  /** The whole of a hit whose URL nobody else can fetch; null when it is none of the provider's. */
  open?(url: string, options: { readonly signal: AbortSignal }): Promise<OpenedDocument | null>;
  close(): Promise<void>;
}

export function searchError(
  code: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): CairnError {
  return new CairnError(code, message, details);
}

/** Freshness as a span, for providers that compare dates themselves. */
export const FRESHNESS_MS: Readonly<Record<Freshness, number>> = {
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 31 * 86_400_000,
  year: 366 * 86_400_000,
};
