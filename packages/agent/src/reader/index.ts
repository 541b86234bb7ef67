/** Readers of documents, apart from the rest of the agent: the thread of a corpus loads them in a tenth of the time. */
export type { ProcessPoolOptions } from "../process/process-pool.ts";
export { lastPartLine } from "./document/parts.ts";
export { defineReader } from "./reader.ts";
export { ReaderHost, sharedReaders } from "./reader-host.ts";
