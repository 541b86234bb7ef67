/**
 * The store the settings name: the data folder, or PostgreSQL with blobs in an S3 service, a shared folder, or the data
 * folder of this machine. What a cluster needs is loaded only by who has one.
 */
import { join, resolve } from "node:path";
import { type ConversationStore, openEmbeddedStore, type StoreMaintenance } from "@cairn/store";
import type { Settings } from "./settings.ts";

export type OpenedStore = ConversationStore & StoreMaintenance;

/** `onConnectionLost` is told of each connection to the database that was lost; by default the process prints a warning. */
export async function openStore(
  { dataDir, database, blobs }: Settings,
  options: { readonly onConnectionLost?: (error: Error) => void } = {},
): Promise<OpenedStore> {
  if (database === null) return openEmbeddedStore({ dir: dataDir });
  const { openClusterStore } = await import("@cairn/store/cluster");
  return openClusterStore({ database, blobs: blobs ?? join(resolve(dataDir), "blobs"), ...options });
}
