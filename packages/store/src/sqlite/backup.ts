/**
 * An online backup: the database as it is at one moment, then the blobs it refers to. A blob that has a reference at
 * that moment stays for at least the grace period of `gc`, so the blob still exists when it is copied.
 *
 * The copy is written under a unique temporary name and renamed when complete, so a folder with the final name is
 * always a complete backup, even when two are made at once.
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { type BlobRef, errorCode } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import { tenantFolder } from "../fs/blob-folder.ts";
import { isMissing, toFileError } from "../fs/file-error.ts";
import { syncFolder } from "../fs/temporary-file.ts";
import { connect } from "./open.ts";
import { readingSchema, toStoreError } from "./sqlite-error.ts";

export interface StoreFiles {
  readonly database: string;
  readonly blobs: string;
}

export function filesOf(folder: string): StoreFiles {
  return { database: join(folder, "cairn.db"), blobs: join(folder, "blobs") };
}

export async function backUp(from: StoreFiles, folder: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (await hasEntries(folder)) throw taken(folder);
  const partial = `${folder}.${randomUUID()}.partial`;
  try {
    await mkdir(partial, { recursive: true, mode: 0o700 });
    const to = filesOf(partial);
    await copyDatabase(from.database, to.database, signal);
    await copyBlobs(from.blobs, to, signal);
    await syncFolder(partial);
    await moveInto(partial, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw toStoreError(toFileError(error, "The backup"));
  }
}

/** Replaces an empty folder, but never one that was filled meanwhile. */
async function moveInto(partial: string, folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (isNotEmpty(error)) throw taken(folder);
    if (!isMissing(error)) throw error;
  }
  try {
    await rename(partial, folder);
  } catch (error) {
    throw isNotEmpty(error) ? taken(folder) : error;
  }
}

function isNotEmpty(error: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST"].includes(errorCode(error));
}

function taken(folder: string) {
  return storeError("bad_argument", "The folder for the backup is not empty. Choose a new one.", { folder });
}

/** Copies the database in an open read transaction: the view stays fixed while others write. */
async function copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const source = connect(from);
  try {
    source.exec("BEGIN");
    source.prepare("SELECT count(*) FROM sqlite_schema").get();
    await (await open(to, "wx", 0o600)).close();
    await backup(source, to, { rate: 1_000, progress: () => signal?.throwIfAborted() });
    source.exec("COMMIT");
  } finally {
    source.close();
  }
  await syncFile(to);
}

async function copyBlobs(from: string, to: StoreFiles, signal?: AbortSignal): Promise<void> {
  const copy = new DatabaseSync(to.database, { readOnly: true });
  const folders = new Set<string>();
  try {
    const rows = readingSchema(() => copy.prepare("SELECT tenant, hash FROM blobs WHERE free_since IS NULL"));
    for (const row of rows.iterate()) {
      signal?.throwIfAborted();
      const { tenant, hash } = row as { tenant: string; hash: BlobRef };
      const name = hash.slice("sha256:".length);
      const place = join(tenantFolder(tenant), name.slice(0, 2));
      const folder = join(to.blobs, place);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
      folders.add(folder);
      await copyBlob(join(from, place, name), join(folder, name));
    }
  } finally {
    copy.close();
  }
  for (const folder of folders) await syncFolder(folder);
}

/** Copies a blob. A missing one is a defect that `verify` reports; it must not prevent a backup. */
async function copyBlob(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await syncFile(to);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function hasEntries(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw toFileError(error, "Looking into the folder for the backup");
  }
}
