/** Tests for stores: the conformance suites, the reference implementation they are compared with, and journals. */

export { firstDifference, operations, Player } from "./compare-stores.ts";
export { judgeContention } from "./contention/judge-contention.ts";
export { pauseWriter } from "./contention/pause-writer.ts";
export { startChild } from "./crash/child-process.ts";
export { killWriters } from "./crash/crash-harness.ts";
export { killFirstStart, startTogether } from "./crash/first-start.ts";

export { FORGET_FILE_SYNCS, traceWriter } from "./durability/trace-writer.ts";
export { makeReadOnly, mountSmallDisk, whyNoMounts } from "./faults/mounted-disk.ts";

export { MemoryStore } from "./memory/memory-store.ts";
export { freePort } from "./servers/free-port.ts";
export { whyNoPostgres } from "./servers/postgres-binaries.ts";
export { type PostgresServer, startPostgres } from "./servers/postgres-server.ts";
export { type S3Server, startS3Server, whyNoS3Server } from "./servers/s3-server.ts";
export { SilentLine } from "./servers/silent-line.ts";
export { blobStoreSuite } from "./suite/blob-store-suite.ts";
export { conversationStoreSuite } from "./suite/conversation-store-suite.ts";
export {
  blobRefOf,
  journalScripts,
  randomScript,
  scriptEvents,
} from "./suite/journal-script.ts";
export { ManualClock } from "./suite/opened-store.ts";
export { playScript } from "./suite/writer.ts";
