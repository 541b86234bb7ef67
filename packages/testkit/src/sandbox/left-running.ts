/**
 * The processes of a stage: those started with its path, and those whose file system contains it, because it was bound
 * into their namespace. On other systems than Linux nothing is found.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename } from "node:path";

export async function leftRunning(stageRoot: string): Promise<readonly number[]> {
  if (process.platform !== "linux") return [];
  const found: number[] = [];
  const ownNamespace = mountNamespace("self");
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    // Mounts in the namespace of the tests are not listed, because that takes long and no stage is bound there.
    const isOutside = mountNamespace(name) === ownNamespace;
    const texts = [read(`/proc/${name}/cmdline`), isOutside ? "" : read(`/proc/${name}/mountinfo`)];
    if (texts.some((text) => text.includes(basename(stageRoot)))) found.push(Number(name));
  }
  return found;
}

/** Processes may end during the check. An ended process has no arguments and no file system. */
function read(path: string): string {
  return unlessEnded(() => readFileSync(path, "utf8"));
}

function mountNamespace(process: string): string {
  return unlessEnded(() => readlinkSync(`/proc/${process}/ns/mnt`));
}

function unlessEnded(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
