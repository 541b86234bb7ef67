/** What proves a store: the conformance suites, the reference implementation they are compared with, and journals. */

export { firstDifference, type Operation, operations, Player } from "./compare-stores.ts";
export {
  asStored,
  blobRefOf,
  type JournalScript,
  journalScripts,
  scriptEvents,
  writeScript,
} from "./journal-script.ts";
export { MemoryBlobStore } from "./memory/memory-blob-store.ts";
export { MemoryStore } from "./memory/memory-store.ts";
export { blobStoreSuite, type OpenedBlobs } from "./suite/blob-store-suite.ts";
export { conversationStoreSuite } from "./suite/conversation-store-suite.ts";
export { ManualClock, type OpenedStore, type OpenStore } from "./suite/opened-store.ts";
