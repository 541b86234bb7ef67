/**
 * Limits that the system does not enforce: the total of a program's memory and files. Both are checked repeatedly while
 * the program runs, but separately, because files may take long to check. Files are checked once more when the program
 * has ended. Files that existed before do not count.
 */
import { readFile, statfs } from "node:fs/promises";
import { type FolderSize, folderSize } from "./folder-size.ts";
import { heldByKernel } from "./held-by-kernel.ts";
import type { SandboxLimits } from "./limits.ts";
import { treeMemory } from "./process-memory.ts";
import type { RuntimeFault } from "./runtime-fault.ts";

/** Checks a process; returns the exceeded limit, or null. */
export type LookAtLimits = (pid: number) => Promise<RuntimeFault | null>;

export interface WatchedLimits {
  readonly memory: LookAtLimits;
  /** Limits of written files and of memory that the kernel keeps for the program. */
  readonly held: LookAtLimits;
  /** Checks the remaining files after the process has ended. */
  readonly leftOnDisk: () => Promise<RuntimeFault | null>;
  /** The message for a program that used too much memory. */
  readonly tooMuchMemory: RuntimeFault;
}

const UNBOUNDED: FolderSize = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY };
/** What must stay free: a program must never take the last disk space or memory, however it hides its usage. */
const DISK_RESERVE = { bytes: 512 * 1024 * 1024, share: 0.05 };
const MEMORY_RESERVE = { bytes: 256 * 1024 * 1024, share: 0.05 };
/**
 * Checks in a row during which a sent descriptor may be in flight between processes. After that it counts as hidden.
 */
const MAX_LOOKS_IN_FLIGHT = 10;

/** Must be called before the process starts. `writable` are the folders that the process may write. */
export async function watchLimits(writable: readonly string[], limits: SandboxLimits): Promise<WatchedLimits> {
  const before = await folderSize(writable, UNBOUNDED);
  const bound = { bytes: before.bytes + limits.diskBytes, entries: before.entries + limits.diskEntries };
  const lookAtFiles = async (hidden: FolderSize): Promise<RuntimeFault | null> => {
    const { bytes, entries } = await folderSize(writable, bound);
    const problem = diskProblem(bytes + hidden.bytes, entries + hidden.entries, bound, limits);
    return problem === null ? null : { code: "disk_limit", message: problem };
  };
  let looksInFlight = 0;
  const tooMuchMemory: RuntimeFault = {
    code: "memory_limit",
    message: `The program took more than ${limits.memoryBytes} bytes of memory.`,
  };
  return {
    memory: async (pid) => {
      if ((await treeMemory(pid)) > limits.memoryBytes) return tooMuchMemory;
      if (!(await isMemoryNearlyGone())) return null;
      return { code: "memory_limit", message: "There is no memory left on the machine." };
    },
    held: async (pid) => {
      const { diskBytes, memoryBytes, entries, isInFlight } = await heldByKernel(pid, limits.fileBytes);
      if (memoryBytes + (await treeMemory(pid)) > limits.memoryBytes) return tooMuchMemory;
      looksInFlight = isInFlight ? looksInFlight + 1 : 0;
      if (looksInFlight >= MAX_LOOKS_IN_FLIGHT)
        return { code: "disk_limit", message: "The program left open files in sockets, where they cannot be counted." };
      const passed = await lookAtFiles({ bytes: diskBytes, entries });
      if (passed !== null || !(await isNearlyFull(writable[0]))) return passed;
      return { code: "disk_limit", message: "There is no room left on the disk." };
    },
    tooMuchMemory,
    leftOnDisk: () => lookAtFiles({ bytes: 0, entries: 0 }),
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
  return bavail * bsize < Math.min(DISK_RESERVE.bytes, blocks * bsize * DISK_RESERVE.share);
}

/** Whether the kernel has hardly any memory left. Linux only. */
async function isMemoryNearlyGone(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const told = await readFile("/proc/meminfo", "utf8");
  const bytesOf = (name: string) =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(told)?.[1] ?? Number.NaN) * 1_024;
  return bytesOf("MemAvailable") < Math.min(MEMORY_RESERVE.bytes, bytesOf("MemTotal") * MEMORY_RESERVE.share);
}
