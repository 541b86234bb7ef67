/**
 * The size of folders: disk bytes and number of entries. Links count as entries and are not followed.
 *
 * A folder that cannot be read, because it is locked or too deep for a path, counts as infinite: what cannot be
 * monitored must not be used.
 */
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

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
      if (isGone(error)) continue;
      if (isClosed(error)) return { bytes: Number.POSITIVE_INFINITY, entries };
      throw error;
    }
  }
  return { bytes, entries };
}

/** The disk space of a file and not its length: a sparse file takes little. */
async function diskBytes(path: string): Promise<number> {
  try {
    const { blocks, size } = await lstat(path);
    return blocks === undefined ? size : blocks * 512;
  } catch (error) {
    if (isGone(error)) return 0;
    throw error;
  }
}

/** The program creates and removes files during the check. */
function isGone(error: unknown): boolean {
  return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
}

function isClosed(error: unknown): boolean {
  return codeOf(error) === "EACCES" || codeOf(error) === "ENAMETOOLONG";
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
