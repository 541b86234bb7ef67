/**
 * The memory of a process and of everything it has started: its pages, those that were swapped out, and its page tables.
 * Pages that processes share are counted for each, so a program that forks without end is stopped sooner, not later.
 *
 * Linux says so in /proc; elsewhere `ps` is asked about the one process. Zero when nobody can tell.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { processTree, readOrEmpty, sum } from "./process-tree.ts";

export async function treeMemory(pid: number): Promise<number> {
  if (process.platform === "linux") {
    const statuses = (await processTree(pid)).map((each) => readOrEmpty(`/proc/${each}/status`));
    return sum((await Promise.all(statuses)).map(memoryOf));
  }
  return process.platform === "win32" ? 0 : await askPs(pid);
}

function memoryOf(status: string): number {
  const lines = status.matchAll(/^Vm(?:RSS|Swap|PTE):\s+(\d+) kB$/gm);
  return sum([...lines].map(([, kilobytes]) => Number(kilobytes) * 1_024));
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
