/**
 * Removes the working folders of deleted conversations: those deleted by retention, with their tenant, or by another
 * process. The data of a conversation is in the store; its folder holds copies.
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
  // Folders are listed before conversations. A conversation is created before its folder, so the later list contains
  // the conversation of every folder, unless it was deleted.
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
