/** Finds stages whose process was killed before it could remove them: those that are a day old. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export const STAGE_PREFIX = "cairn-exec-";
const OLD_MS = 24 * 60 * 60 * 1000;

/** Old stages in a folder that belong to the current user. */
export async function oldStages(folder: string, now: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGE_PREFIX)) continue;
    const stage = join(folder, name);
    const facts = await lstat(stage).catch(() => null); // Another process has removed the stage first.
    if (facts?.isDirectory() === true && isOurs(facts.uid) && now - facts.ctimeMs > OLD_MS) found.push(stage);
  }
  return found;
}

/** Whether a stage belongs to this user. Root gives its stages to the user that runs programs. */
function isOurs(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || own === 0 || own === uid;
}
