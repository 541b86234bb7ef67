/** Tavily's search API. One request gives at most 20 results; a query has at most 400 characters. */
import { z } from "zod";
import { foundPage, hitDate, hitOf, isPage } from "./hit-text.ts";
import type { SearchProvider } from "./search-provider.ts";
import { askService } from "./service-request.ts";

const answerSchema = z.object({
  results: z.array(foundPage.extend({ published_date: z.string().nullish() })),
});

const MAX_RESULTS = 20;
const MAX_CHARS = 400;

export interface TavilyOptions {
  readonly apiKey: string;
  /** The address of a compatible server. */
  readonly baseUrl?: string;
}

export function tavilySearch({ apiKey, baseUrl = "https://api.tavily.com" }: TavilyOptions): SearchProvider {
  return {
    name: "tavily",
    async search({ query, n, freshness }, { signal }) {
      const body = {
        query: query.slice(0, MAX_CHARS).toWellFormed(),
        max_results: Math.min(n, MAX_RESULTS),
        search_depth: "basic",
        ...(freshness === undefined ? {} : { time_range: freshness }),
      };
      const url = new URL("/search", baseUrl);
      const headers = { authorization: `Bearer ${apiKey}` };
      const { results } = await askService(
        { service: "Tavily", url, method: "POST", headers, body, signal },
        answerSchema,
      );
      const hits = results
        .filter(isPage)
        .slice(0, n)
        .map((result) => ({ ...hitOf(result), published: hitDate(result.published_date) }));
      return { hits, warnings: [] };
    },
    close: async () => undefined,
  };
}
