/**
 * Stages that nobody removed, because the process that made them was killed. A program runs for minutes at most, so that a
 * stage of yesterday is nobody's.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export const STAGE_PREFIX = "cairn-exec-";
const OLD_MS = 24 * 60 * 60 * 1000;

/** The old ones in a folder that belong to whoever runs this. */
export async function oldStages(folder: string, now: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGE_PREFIX)) continue;
    const stage = join(folder, name);
    const facts = await lstat(stage).catch(() => null); // Somebody else was faster.
    if (facts?.isDirectory() === true && isOurs(facts.uid) && now - facts.ctimeMs > OLD_MS) found.push(stage);
  }
  return found;
}

/** Root hands its stages to the user that programs run as. */
function isOurs(uid: number): boolean {
  const own = process.getuid?.();
  return own === undefined || own === 0 || own === uid;
}
