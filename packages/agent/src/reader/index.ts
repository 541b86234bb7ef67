/**
 * The document readers as an entry point of their own, apart from the rest of the agent. A worker thread that searches
 * a corpus loads it in a tenth of the time.
 */
export type { ProcessPoolOptions } from "../process/process-pool.ts";
export { lastPartLine } from "./document/parts.ts";
export { defineReader } from "./reader.ts";
export { ReaderHost, sharedReaders } from "./reader-host.ts";
