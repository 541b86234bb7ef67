/** Tests for stores: the conformance suites, the reference implementation they are compared with, and journals. */

export { firstDifference, type Operation, operations, Player } from "./compare-stores.ts";
export { judgeContention } from "./contention/judge-contention.ts";
export { type PausedWriter, pauseWriter } from "./contention/pause-writer.ts";
export {
  type ChildExit,
  type ChildOptions,
  lineOf,
  type RunningChild,
  runChild,
  startChild,
} from "./crash/child-process.ts";
export { type CrashReport, killWriters, type Random } from "./crash/crash-harness.ts";
export { killFirstStart, startTogether } from "./crash/first-start.ts";
export type { StoreRecipe } from "./crash/store-recipe.ts";
export { checkDurability, type DurabilityFindings } from "./durability/check-durability.ts";
export { FORGET_FILE_SYNCS, traceWriter } from "./durability/trace-writer.ts";
export { type MountedDisk, makeReadOnly, mountSmallDisk, whyNoMounts } from "./faults/mounted-disk.ts";
export { MemoryBlobStore } from "./memory/memory-blob-store.ts";
export { MemoryStore } from "./memory/memory-store.ts";
export { freePort } from "./servers/free-port.ts";
export { whyNoPostgres } from "./servers/postgres-binaries.ts";
export { type PostgresServer, startPostgres } from "./servers/postgres-server.ts";
export { type S3Server, startS3Server, whyNoS3Server } from "./servers/s3-server.ts";
export { SilentLine } from "./servers/silent-line.ts";
export { blobStoreSuite, type OpenedBlobs } from "./suite/blob-store-suite.ts";
export { conversationStoreSuite } from "./suite/conversation-store-suite.ts";
export {
  asStored,
  blobRefOf,
  type JournalScript,
  journalScripts,
  randomScript,
  scriptEvents,
  writeScript,
} from "./suite/journal-script.ts";
export { ManualClock, type OpenedStore, type OpenStore } from "./suite/opened-store.ts";
export { playScript } from "./suite/writer.ts";
