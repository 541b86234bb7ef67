/** Tests for search providers: the conformance suite, and search services. */
export { searchProviderSuite } from "./search-provider-suite.ts";
export { SERVICE_KEY, SearchService, type ServiceName } from "./search-services.ts";
export { DAY_MS, SEARCHED_DOCUMENTS, type SearchedDocument } from "./searched-document.ts";
