/** Brave's web search API. One request gives at most 20 results; a query has at most 400 characters and 50 words. */
import { z } from "zod";
import { hitDate, hitText, hitTitle, isPage } from "./hit-text.ts";
import type { Freshness, SearchProvider } from "./search-provider.ts";
import { askService } from "./service-request.ts";

const answerSchema = z.object({
  web: z
    .object({
      results: z.array(
        z.object({
          url: z.string(),
          title: z.string().nullish(),
          description: z.string().nullish(),
          page_age: z.string().nullish(),
          extra_snippets: z.array(z.string()).nullish(),
        }),
      ),
    })
    .nullish(),
});

const MAX_RESULTS = 20;
const MAX_CHARS = 400;
const MAX_WORDS = 50;
const FRESHNESS: Readonly<Record<Freshness, string>> = { day: "pd", week: "pw", month: "pm", year: "py" };

export interface BraveOptions {
  readonly apiKey: string;
  /** The address of a compatible server. */
  readonly baseUrl?: string;
}

export function braveSearch({ apiKey, baseUrl = "https://api.search.brave.com" }: BraveOptions): SearchProvider {
  return {
    name: "brave",
    async search({ query, n, freshness }, { signal }) {
      const url = new URL("/res/v1/web/search", baseUrl);
      url.searchParams.set("q", shorten(query));
      url.searchParams.set("count", String(Math.min(n, MAX_RESULTS)));
      if (freshness !== undefined) url.searchParams.set("freshness", FRESHNESS[freshness]);
      const headers = { "x-subscription-token": apiKey };
      const { web } = await askService({ service: "Brave", url, headers, signal }, answerSchema);
      const hits = (web?.results ?? [])
        .filter(isPage)
        .slice(0, n)
        .map((result) => ({
          url: result.url,
          title: hitTitle(result.title),
          text: hitText(result.description, ...(result.extra_snippets ?? [])),
          published: hitDate(result.page_age),
        }));
      return { hits, warnings: [] };
    },
    close: async () => undefined,
  };
}

function shorten(query: string): string {
  return query.split(/\s+/).slice(0, MAX_WORDS).join(" ").slice(0, MAX_CHARS).toWellFormed();
}
