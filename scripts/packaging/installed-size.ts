/** Measures how much disk space installed packages and files take. */
import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../run-command.ts";

/**
 * In MB, for a clone after `npm install` without the history in `.git`. A full clone adds about 65 MB of history, and all
 * together stays below 700 MB, also in MB of 1,000,000 bytes.
 */
export const CLONE_LIMIT = 600;

/** In MB: the packages that `npm install` adds to this repository, and the files that git tracks. */
export function cloneSize(): { readonly installed: number; readonly files: number } {
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: projectRoot, encoding: "utf8" }).split("\0");
  const blocksOf = (path: string) => lstatSync(join(projectRoot, path), { throwIfNoEntry: false })?.blocks ?? 0;
  const blocks = tracked.slice(0, -1).reduce((sum, path) => sum + blocksOf(path), 0);
  return { installed: megabytesOf(join(projectRoot, "node_modules")), files: toMegabytes(blocks) };
}

/**
 * The blocks that the packages in a folder take, as `du` counts them, in MB. A file with several names counts once, and
 * links are not followed. Folders with a dot at the top are left out, because they hold caches of tools.
 */
export function megabytesOf(nodeModules: string): number {
  const seen = new Set<string>();
  const blocksOf = (path: string): number => {
    const { dev, ino, blocks } = lstatSync(path);
    const file = `${dev}:${ino}`;
    if (seen.has(file)) return 0;
    seen.add(file);
    return blocks;
  };
  const blocksIn = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (folder === nodeModules && entry.name.startsWith(".")) return sum;
      return sum + blocksOf(path) + (entry.isDirectory() ? blocksIn(path) : 0);
    }, 0);
  return toMegabytes(blocksIn(nodeModules));
}

function toMegabytes(blocks: number): number {
  return (blocks * 512) / 1024 ** 2;
}
