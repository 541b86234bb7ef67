/**
 * Opens the store of the settings: the data folder, or PostgreSQL with files in S3, in a shared folder, or in this
 * machine's data folder. The cluster's dependencies are loaded only when needed.
 */
import { join, resolve } from "node:path";
import { type ConversationStore, loadOptional, openEmbeddedStore, type StoreMaintenance } from "@cairn/store";
import type { Settings } from "../settings/settings.ts";

export type OpenedStore = ConversationStore & StoreMaintenance;

/** `onConnectionLost` is called for each lost connection to the database; by default the process prints a warning. */
export async function openStore(
  { dataDir, database, blobs }: Settings,
  options: { readonly onConnectionLost?: (error: Error) => void } = {},
): Promise<OpenedStore> {
  if (database === null) return openEmbeddedStore({ dir: dataDir });
  const { openClusterStore } = await loadOptional(
    () => import("@cairn/store/cluster"),
    "A store in PostgreSQL",
    "pg graphile-worker",
  );
  return openClusterStore({ database, blobs: blobs ?? join(resolve(dataDir), "blobs"), ...options });
}
