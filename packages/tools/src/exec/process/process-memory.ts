/**
 * What a process and everything it has started take: memory, and disk that no folder shows.
 *
 * Pages that processes share are counted for each: a program that forks without end is stopped sooner, not later. A file
 * that was removed while it is open still takes its place, and only its descriptor tells.
 *
 * Linux tells through /proc; elsewhere `ps` is asked about the one process. Zero when nobody can tell.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { promisify } from "node:util";

const PAGE_BYTES = 4_096;
/** More processes than any limit allows. */
const MOST = 5_000;

export interface TreeUsage {
  readonly memoryBytes: number;
  /** Of files that were removed and are still open. */
  readonly hiddenBytes: number;
}

export async function treeUsage(pid: number): Promise<TreeUsage> {
  if (process.platform === "linux") return linuxUsage(pid);
  return { memoryBytes: process.platform === "win32" ? 0 : await askPs(pid), hiddenBytes: 0 };
}

async function linuxUsage(root: number): Promise<TreeUsage> {
  let memoryBytes = 0;
  let hiddenBytes = 0;
  const waiting = [root];
  for (let at = 0; at < waiting.length && at < MOST; at++) {
    const pid = waiting[at];
    const [memory, children, hidden] = await Promise.all([
      readOrEmpty(`/proc/${pid}/statm`),
      readOrEmpty(`/proc/${pid}/task/${pid}/children`),
      hiddenFiles(`/proc/${pid}/fd`),
    ]);
    memoryBytes += Number(memory.split(" ")[1] ?? 0) * PAGE_BYTES;
    hiddenBytes += hidden;
    for (const child of children.split(" ")) if (child !== "") waiting.push(Number(child));
  }
  return { memoryBytes, hiddenBytes };
}

async function hiddenFiles(folder: string): Promise<number> {
  let sum = 0;
  try {
    for (const name of await readdir(folder)) {
      const path = `${folder}/${name}`;
      if (!(await readlink(path)).endsWith(" (deleted)")) continue;
      const { blocks, isFile } = await stat(path).then((found) => ({ blocks: found.blocks, isFile: found.isFile() }));
      if (isFile) sum += blocks * 512;
    }
  } catch {
    // The process ended, or closed what was looked at: the next look sees the rest.
  }
  return sum;
}

/** A process may end while it is looked at. */
async function readOrEmpty(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch {
    return "";
  }
}

const run = promisify(execFile);

async function askPs(pid: number): Promise<number> {
  try {
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout.trim() || 0) * 1_024;
  } catch {
    return 0; // It has ended.
  }
}
