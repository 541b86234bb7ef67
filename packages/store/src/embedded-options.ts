/** How an embedded store is opened, and the result of opening it. */
import type { Clock } from "@cairn/timeline";
import type { BlobStore } from "./contract/blob-store.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { StoreMaintenance } from "./contract/store-maintenance.ts";

export interface EmbeddedStoreOptions {
  /** The data folder: `cairn.db` (with `-wal` and `-shm`) and `blobs/`. Created if missing. */
  readonly dir: string;
  /** Default: the machine's clock. All processes of one data folder should use the same clock. */
  readonly clock?: Clock;
  /** Maximum time that a writer waits for another process before it throws `busy`; default 5,000. */
  readonly busyTimeoutMs?: number;
  /** How often a follower checks for events of other processes, in milliseconds; default 10. */
  readonly pollMs?: number;
  /** `full` (default) makes every commit durable. `off` is for tests that prove that durability needs `full`. */
  readonly sync?: "full" | "off";
}

export interface EmbeddedStore extends ConversationStore, StoreMaintenance {
  readonly blobs: BlobStore;
}
