/** The mappings of a process: their number, and the removed files among them. */
import { open, stat } from "node:fs/promises";
import { errorCode } from "@cairn/timeline";

/** Maximum size of a list of mappings. No program needs a larger list, which is too slow to check repeatedly. */
const MAX_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** A line of `/proc/<pid>/maps`: `start-end rights offset device inode path (deleted)`. */
const REMOVED = /^([0-9a-f]+-[0-9a-f]+) \S+ \S+ (\S+) (\d+) .* \(deleted\)$/gm;

export interface MappedFiles {
  /** Bytes of disk of removed files, by device and inode. */
  readonly removed: Map<string, number>;
  /** Assumed size of a file that this user cannot inspect: only root may, through a mapping. */
  readonly fileBytes: number;
  /** A device whose files are counted in another place. */
  readonly except: string | null;
}

/** Adds the mappings of one process; returns their number, or Infinity if there are too many. */
export async function lookAtMappings(pid: number, { removed, fileBytes, except }: MappedFiles): Promise<number> {
  const text = await readMappings(pid);
  if (text === null) return Number.POSITIVE_INFINITY;
  for (const [, range, device, inode] of text.matchAll(REMOVED)) {
    if (device === except) continue;
    try {
      const file = await stat(`/proc/${pid}/map_files/${range}`);
      removed.set(`${file.dev}:${file.ino}`, file.blocks * 512);
    } catch (error) {
      if (errorCode(error) === "EPERM") removed.set(`${device}:${inode}`, fileBytes);
    }
  }
  return text.split("\n").length;
}

/** Reads the mappings of a process; null when there are too many to check, empty after its end. */
async function readMappings(pid: number): Promise<string | null> {
  const pieces: string[] = [];
  const buffer = Buffer.alloc(CHUNK_BYTES);
  try {
    await using file = await open(`/proc/${pid}/maps`, "r");
    for (let total = 0; ; ) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) return pieces.join("");
      pieces.push(buffer.toString("latin1", 0, bytesRead));
      total += bytesRead;
      if (total > MAX_BYTES) return null;
    }
  } catch {
    return "";
  }
}
