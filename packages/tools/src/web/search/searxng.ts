/** A SearXNG instance, through its JSON format (`/search?format=json`), which the instance must allow. */
import { z } from "zod";
import { foundPage, hitDate, hitOf, hitTitle, isPage } from "./hit-text.ts";
import { type SearchProvider, searchError } from "./search-provider.ts";
import { askService } from "./service-request.ts";

const answerSchema = z.object({
  results: z.array(foundPage.extend({ publishedDate: z.string().nullish(), author: z.string().nullish() })),
  unresponsive_engines: z.array(z.array(z.unknown())).nullish(),
});

const MAX_PAGES = 3;

export function searxngSearch({ url }: { readonly url: string }): SearchProvider {
  const ask = async (query: string, page: number, freshness: string | undefined, signal: AbortSignal) => {
    const target = new URL("search", url.endsWith("/") ? url : `${url}/`);
    target.searchParams.set("q", query);
    target.searchParams.set("format", "json");
    target.searchParams.set("pageno", String(page));
    if (freshness !== undefined) target.searchParams.set("time_range", freshness);
    try {
      return await askService({ service: "SearXNG", url: target, signal }, answerSchema);
    } catch (error) {
      if (error instanceof Error && "details" in error && (error.details as { status?: unknown }).status === 403)
        throw searchError(
          "search_refused",
          "SearXNG does not allow JSON. Add json to search.formats in its settings.yml.",
        );
      throw error;
    }
  };
  return {
    name: "searxng",
    async search({ query, n, freshness }, { signal }) {
      const results: z.infer<typeof answerSchema>["results"] = [];
      const silent = new Set<string>();
      for (let page = 1; page <= MAX_PAGES && results.length < n; page++) {
        const answer = await ask(query, page, freshness, signal);
        for (const [engine] of answer.unresponsive_engines ?? []) silent.add(String(engine).slice(0, 40));
        if (answer.results.length === 0) break;
        results.push(...answer.results);
      }
      return {
        hits: results
          .filter(isPage)
          .slice(0, n)
          .map((result) => ({
            ...hitOf(result),
            author: result.author ? hitTitle(result.author) : undefined,
            published: hitDate(result.publishedDate),
          })),
        warnings: silent.size === 0 ? [] : [`Some engines did not answer: ${[...silent].slice(0, 10).join(", ")}.`],
      };
    },
    close: async () => undefined,
  };
}
