/**
 * The processes of a stage: those started with its path, and those whose file system contains it, which are all
 * processes in a namespace it was bound into. Linux only; elsewhere nothing is found.
 */
import { readdir, readFile } from "node:fs/promises";
import { basename } from "node:path";

export async function leftRunning(stageRoot: string): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const texts = await Promise.all([read(`/proc/${name}/cmdline`), read(`/proc/${name}/mountinfo`)]);
    if (texts.some((text) => text.includes(basename(stageRoot)))) found.push(Number(name));
  }
  return found;
}

/** Processes may end during the check, and ended processes have neither. */
async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return "";
  }
}
