/**
 * Limits that no system holds a program to by itself: its memory and its files, all together. They are looked at again
 * and again while it runs, and once more when it has ended. What lay in its folders before is not its own.
 */
import { statfs } from "node:fs/promises";
import type { SandboxLimits } from "../limits.ts";
import type { RuntimeFault } from "../sandbox.ts";
import { type FolderSize, folderSize } from "./folder-size.ts";
import { treeUsage } from "./process-memory.ts";

/** Looks at a process, or at what is left when it has ended; what limit is passed, or null. */
export type LookAtLimits = (pid: number | null) => Promise<RuntimeFault | null>;

const UNBOUNDED: FolderSize = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };
/** No program may take the last of a disk from the server it runs on, however it hides what it writes. */
const RESERVE_BYTES = 512 * 1024 * 1024;
const RESERVE_SHARE = 0.05;

/** To be called before the process starts. `writable` are the folders it may write. */
export async function watchLimits(writable: readonly string[], limits: SandboxLimits): Promise<LookAtLimits> {
  const before = await folderSize(writable, UNBOUNDED);
  const bound = { bytes: before.bytes + limits.diskBytes, entries: before.entries + limits.diskEntries };
  return async (pid) => {
    const { memoryBytes, hiddenBytes } = pid === null ? { memoryBytes: 0, hiddenBytes: 0 } : await treeUsage(pid);
    if (memoryBytes > limits.memoryBytes)
      return { code: "memory_limit", message: `The program took more than ${limits.memoryBytes} bytes of memory.` };
    const { bytes, entries } = await folderSize(writable, bound);
    const problem = diskProblem(bytes + hiddenBytes, entries, bound, limits);
    if (problem !== null) return { code: "disk_limit", message: problem };
    if (pid === null || !(await isNearlyFull(writable[0]))) return null;
    return { code: "disk_limit", message: "There is no room left on the disk." };
  };
}

function diskProblem(bytes: number, entries: number, bound: FolderSize, limits: SandboxLimits): string | null {
  if (bytes === Number.POSITIVE_INFINITY) return "The program made a folder that cannot be watched.";
  if (bytes > bound.bytes) return `The program wrote more than ${limits.diskBytes} bytes of files.`;
  return entries > bound.entries ? `The program made more than ${limits.diskEntries} files and folders.` : null;
}

async function isNearlyFull(folder: string | undefined): Promise<boolean> {
  if (folder === undefined) return false;
  const { bavail, blocks, bsize } = await statfs(folder);
  return bavail * bsize < Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE);
}
