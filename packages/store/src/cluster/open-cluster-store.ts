/**
 * Opens the store of a cluster from two addresses of a configuration.
 *
 * @example
 * const store = await openClusterStore({
 *   database: "postgres://cairn@db.internal/cairn",
 *   blobs: "s3://cairn/blobs?region=eu-central-1",
 * });
 */
import { resolve } from "node:path";
import type { Clock } from "@cairn/timeline";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import { BlobFolder } from "../fs/blob-folder.ts";
import { loadOptional } from "../load-optional.ts";
import { openPostgresStore, type PostgresStore } from "../postgres/postgres-store.ts";

export interface ClusterStoreOptions {
  /** URL of the database, `postgres://…`. */
  readonly database: string;
  /** Where blobs are stored: `s3://bucket/prefix?endpoint=…&region=…`, or a folder that all machines share. */
  readonly blobs: string;
  readonly clock?: Clock;
  readonly patienceMs?: number;
  readonly silenceMs?: number;
  readonly connections?: number;
  /** Called for each lost connection to the database. By default the process prints a warning. */
  readonly onConnectionLost?: (error: Error) => void;
}

export async function openClusterStore(options: ClusterStoreOptions): Promise<PostgresStore> {
  const { database: url, blobs: address, ...rest } = options;
  const blobs = await openBlobs(address, options.clock);
  try {
    return await openPostgresStore({ url, blobs, ...rest });
  } catch (error) {
    blobs.close?.();
    throw error;
  }
}

/** Loads the S3 client only if the address needs it. */
async function openBlobs(address: string, clock: Clock | undefined): Promise<KeptBlobs & { close?(): void }> {
  if (!address.startsWith("s3:")) return new BlobFolder(resolve(address), clock ?? null);
  const { openS3BlobStore } = await loadOptional(
    () => import("../s3/s3-blob-store.ts"),
    "A store of blobs in S3",
    "@aws-sdk/client-s3 @aws-sdk/lib-storage",
  );
  return openS3BlobStore(address);
}
