/** What differs between the back ends of the one store. */
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
  /** Defects of the database itself, below the rows. */
  checkDatabase(): Promise<Defect[]>;
  /** Mends of those what can be mended. */
  mendDatabase(signal?: AbortSignal): Promise<void>;
  /** The defect behind an error, when the error tells of damage. */
  defectOf(error: unknown): string | null;
  backup(folder: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
