/** Search and fetch, with the agent's tool interface. */
export { type CorpusOptions, corpusSearch } from "./corpus/corpus-search.ts";
export { PageFetcher, type PageFetcherOptions } from "./fetch/page-fetcher.ts";
export { type BraveOptions, braveSearch } from "./search/brave.ts";
export type {
  OpenedDocument,
  SearchAnswer,
  SearchHit,
  SearchProvider,
  SearchRequest,
} from "./search/search-provider.ts";
export { searxngSearch } from "./search/searxng.ts";
export { type TavilyOptions, tavilySearch } from "./search/tavily.ts";
export { type OpenSearchOptions, openSearch, parseSearchSetting, type SearchSetting } from "./search-setting.ts";
export { type WebTools, type WebToolsOptions, webTools } from "./web-tools.ts";
