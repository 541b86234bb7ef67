/** The mappings of a process: how many there are, and the removed files among them. */
import { open, stat } from "node:fs/promises";

/** Beyond this a process has more mappings than any program needs, and than can be looked at again and again. */
const MAX_BYTES = 2 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** `start-end rights offset device inode path (deleted)`. */
const REMOVED = /^([0-9a-f]+-[0-9a-f]+) \S+ \S+ (\S+) (\d+) .* \(deleted\)$/gm;

export interface MappedFiles {
  /** Bytes of disk of removed files, by device and inode. */
  readonly removed: Map<string, number>;
  /** What a file counts as that this user may not look at: only root may, through a mapping. */
  readonly fileBytes: number;
  /** A device whose files are counted otherwise. */
  readonly except: string | null;
}

/** Adds what one process maps, and returns how many mappings it has; Infinity for too many. */
export async function lookAtMappings(pid: number, { removed, fileBytes, except }: MappedFiles): Promise<number> {
  const text = await readMappings(pid);
  if (text === null) return Number.POSITIVE_INFINITY;
  for (const [, range, device, inode] of text.matchAll(REMOVED)) {
    if (device === except) continue;
    try {
      const file = await stat(`/proc/${pid}/map_files/${range}`);
      removed.set(`${file.dev}:${file.ino}`, file.blocks * 512);
    } catch (error) {
      const isForbidden = error instanceof Error && "code" in error && error.code === "EPERM";
      if (isForbidden) removed.set(`${device}:${inode}`, fileBytes);
    }
  }
  return text.split("\n").length;
}

/** Null when there is more than can be looked at; empty for a process that has ended. */
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
