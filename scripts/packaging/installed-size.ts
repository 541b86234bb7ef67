/** How much room installed packages take on a disk. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** In MB, for the packages that `npm install` puts into this repository. */
export const SIZE_LIMIT = 700;

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
  return (blocksIn(nodeModules) * 512) / 1024 ** 2;
}
