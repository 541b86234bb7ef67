/**
 * The web as tools: `web_tools.web_search` and `web_tools.web_fetch`. Search is left out if none is configured;
 * fetching always works.
 *
 * ```ts
 * const search = await openSearch("corpus:./library", { dataDir: ".cairn" });
 * const web = webTools({ search, fetch: { allow: "wiki.intranet" } });
 * defineAgent({ …, tools: [...reactTools(), ...web.tools] });
 * await web.close();
 * ```
 */
import type { AnyTool } from "@cairn/agent";
import { PageFetcher, type PageFetcherOptions } from "./fetch/page-fetcher.ts";
import type { SearchProvider } from "./search/search-provider.ts";
import { createSearchTool } from "./search/web-search.ts";
import { createFetchTool } from "./web-fetch.ts";

export interface WebToolsOptions {
  readonly search?: SearchProvider | null;
  readonly fetch?: PageFetcherOptions;
}

export interface WebTools {
  readonly tools: readonly AnyTool[];
  /** Ends the threads of the search and closes its provider. */
  close(): Promise<void>;
}

export function webTools({ search = null, fetch = {} }: WebToolsOptions = {}): WebTools {
  const fetcher = new PageFetcher(fetch);
  const tools: AnyTool[] = [createFetchTool({ fetcher, provider: search })];
  if (search !== null) tools.push(createSearchTool(search));
  return {
    tools,
    close: async () => {
      await fetcher.close();
      await search?.close();
    },
  };
}
