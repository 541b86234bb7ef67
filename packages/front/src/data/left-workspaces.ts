/**
 * Removes the working folders of conversations that retention, the deletion of a tenant, or another process deleted.
 * These folders contain only copies of data in the store.
 */
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ifMissing } from "@cairn/agent";
import type { StoreMaintenance } from "@cairn/store";
import { WORKSPACES, workspaceFolder } from "./local-data.ts";

/** Removes the workspace folders of deleted conversations; returns how many. */
export async function removeLeftWorkspaces(
  dataDir: string,
  store: Pick<StoreMaintenance, "conversations">,
  signal?: AbortSignal,
): Promise<number> {
  const folder = join(dataDir, WORKSPACES);
  // Folders are listed before conversations. A conversation is created before its folder, so a folder whose
  // conversation is not in the later list belongs to a deleted one.
  const left = new Set(await namesIn(folder));
  if (left.size === 0) return 0;
  for await (const key of store.conversations(signal === undefined ? {} : { signal }))
    left.delete(basename(workspaceFolder(dataDir, key)));
  for (const name of left) {
    signal?.throwIfAborted();
    await rm(join(folder, name), { recursive: true, force: true });
  }
  return left.size;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
