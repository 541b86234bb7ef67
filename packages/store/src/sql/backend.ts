/** The parts of the store that differ between back ends. */
import type { Clock } from "@cairn/timeline";
import type { Defect } from "../contract/conversation-store.ts";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type { SqlDatabase } from "./sql-database.ts";

export interface Backend {
  readonly db: SqlDatabase;
  readonly blobs: KeptBlobs;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  /** Finds defects of the database itself, below the level of rows. */
  checkDatabase(): Promise<Defect[]>;
  /** Repairs the defects of the database that can be repaired. */
  mendDatabase(signal?: AbortSignal): Promise<void>;
  /** The defect that an error reports; null if the error reports no damage. */
  defectOf(error: unknown): string | null;
  backup(folder: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
