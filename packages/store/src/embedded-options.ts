/** How an embedded store is opened, and what opening gives. */
import type { Clock } from "@cairn/timeline";
import type { BlobStore } from "./contract/blob-store.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { StoreMaintenance } from "./contract/store-maintenance.ts";

export interface EmbeddedStoreOptions {
  /** The data folder: `cairn.db` (with `-wal` and `-shm`) and `blobs/`. Made when it is not there. */
  readonly dir: string;
  /** The machine's clock by default. All processes of one data folder should use the same one. */
  readonly clock?: Clock;
  /** How long a writer waits for another process before it gets `busy`; 5,000 by default. */
  readonly busyTimeoutMs?: number;
  /** How often a follower looks for other processes' events; 10 by default. Events of its own process come at once. */
  readonly pollMs?: number;
  /** `full` (the default) makes every commit durable. `off` is for tests that prove that it matters. */
  readonly sync?: "full" | "off";
}

export interface EmbeddedStore extends ConversationStore, StoreMaintenance {
  readonly blobs: BlobStore;
}
