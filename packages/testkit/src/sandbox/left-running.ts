/**
 * The processes of a stage: those started with its path, and those whose file system contains it, which are all
 * processes in a namespace it was bound into. Linux only; elsewhere nothing is found.
 */
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";

export async function leftRunning(stageRoot: string): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const texts = [read(`/proc/${name}/cmdline`), read(`/proc/${name}/mountinfo`)];
    if (texts.some((text) => text.includes(basename(stageRoot)))) found.push(Number(name));
  }
  return found;
}

/** Processes may end during the check, and ended processes have neither. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
