/**
 * The size of folders: disk bytes and number of entries. Links count as entries and are not followed.
 *
 * A folder that cannot be read, because it is locked or too deep for a path, counts as infinite: what cannot be
 * monitored must not be used.
 */
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { ifMissing, isMissing } from "@cairn/agent";
import { errorCode } from "@cairn/timeline";

export interface FolderSize {
  readonly bytes: number;
  readonly entries: number;
}

/** Stops as soon as a limit is exceeded, so that a check is always quick. */
export async function folderSize(folders: readonly string[], bound: FolderSize): Promise<FolderSize> {
  let bytes = 0;
  let entries = 0;
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (++entries > bound.entries || bytes > bound.bytes) return { bytes, entries };
        const path = join(folder, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else bytes += await diskBytes(path);
      }
    } catch (error) {
      if (isMissing(error)) continue;
      if (["EACCES", "ENAMETOOLONG"].includes(errorCode(error))) return { bytes: Number.POSITIVE_INFINITY, entries };
      throw error;
    }
  }
  return { bytes, entries };
}

/** The disk space of a file, and not its length: a sparse file takes little space. */
async function diskBytes(path: string): Promise<number> {
  // A missing file counts as empty, because the program removes files during the check.
  const { blocks, size } = await lstat(path).catch(ifMissing({ blocks: 0, size: 0 }));
  return blocks === undefined ? size : blocks * 512;
}
