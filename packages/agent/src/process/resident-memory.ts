/** The memory of a process and its children, from `/proc`. Without `/proc`, this memory is not limited. */
import { readFileSync } from "node:fs";

const PAGE_BYTES = 4_096;

/** Bytes of a process and its children; null if the system does not report them. */
export function residentBytes(pid: number): number | null {
  const own = read(`/proc/${pid}/statm`);
  if (own === null) return null;
  const pages = Number(own.split(" ")[1] ?? 0) - Number(own.split(" ")[2] ?? 0);
  return Math.max(0, pages) * PAGE_BYTES + childrenBytes(pid);
}

function childrenBytes(pid: number): number {
  const children = (read(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").filter((child) => child !== "");
  return children.reduce((sum, child) => sum + (residentBytes(Number(child)) ?? 0), 0);
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null; // The process has ended, or the system has no such files.
  }
}
