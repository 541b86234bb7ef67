/**
 * The memory of a process and its descendants: resident pages, swapped pages and page tables. Shared pages count for
 * each process, so a program that forks endlessly is stopped sooner.
 *
 * On Linux the numbers come from /proc; on other systems from `ps`, for the one process. The result is zero if the
 * numbers are unknown.
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
    return 0; // The process has ended.
  }
}
