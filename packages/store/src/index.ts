/** Durable conversations: the contracts, and the embedded back end on SQLite and a folder. */
export { beforeTransaction } from "./contract/before-transaction.ts";
export type { BlobInfo, BlobStore, ByteRange, ByteSource } from "./contract/blob-store.ts";
export type { CallOptions, Page, PageOptions } from "./contract/call-options.ts";
export type {
  AppendOptions,
  ConversationStore,
  Defect,
  DeleteOptions,
  ImportOptions,
} from "./contract/conversation-store.ts";
export { type StoreErrorCode, storeError } from "./contract/errors.ts";
export type { KeptBlobs } from "./contract/kept-blobs.ts";
export type {
  Appended,
  ConversationInfo,
  ForkOrigin,
  FoundBlock,
  FoundPath,
  Lease,
  LoadedConversation,
  LoadedOutline,
  OpenStream,
  OutlineOptions,
  SearchHit,
  Spending,
  SpendingWindow,
  StoredArtifact,
  StoredEvent,
  StoredTurn,
  TurnPage,
  TurnVersions,
} from "./contract/records.ts";
export {
  type ConversationKey,
  checkConversationKey,
  checkPart,
  checkScope,
  type Scope,
  scopeKey,
} from "./contract/scope.ts";
export type { SearchOptions } from "./contract/search-options.ts";
export type {
  GcReport,
  QuarantinedTurn,
  SpentMinute,
  StoredBytes,
  StoredSecret,
  StoreMaintenance,
  UnfinishedConversation,
  UnfinishedOptions,
} from "./contract/store-maintenance.ts";
export { type CopyOptions, type CopyOutcome, type CopyReport, copyStore } from "./copy-store.ts";
export type { EmbeddedStore, EmbeddedStoreOptions } from "./embedded-options.ts";
export { openEmbeddedStore } from "./embedded-store.ts";
export { everyBranch, everyItem } from "./every-item.ts";
export { composeExport } from "./export/compose-export.ts";
export { reportImport } from "./export/import-report.ts";
export { BlobFolder } from "./fs/blob-folder.ts";
export { linkFormat, linkFound } from "./link-found.ts";
export { loadOptional } from "./load-optional.ts";
export { BLOCK_KINDS } from "./sql/outline.ts";
