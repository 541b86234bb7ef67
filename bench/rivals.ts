/**
 * The libraries that benchmarks compare with Cairn. `bench/rivals` has their versions and the code that uses them.
 *
 * `node bench/rivals.ts` installs them; `npm run bench:store` and others run it first. Without them, a benchmark measures
 * Cairn alone.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import rivals from "./rivals/package.json" with { type: "json" };

const folder = join(import.meta.dirname, "rivals");

export const rivalVersions: Readonly<Record<string, string>> = rivals.dependencies;

export function hasRivals(): boolean {
  return existsSync(join(folder, "node_modules/.package-lock.json"));
}

/** The exports of a file in `bench/rivals`, or null if the libraries are not installed. */
export async function importRivals<Exports>(file: string): Promise<Exports | null> {
  if (hasRivals()) return await import(join(folder, file));
  console.error(`Cairn is measured alone: ${file} needs libraries that \`node bench/rivals.ts\` installs.`);
  return null;
}

if (import.meta.main) {
  const options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  const { status } = spawnSync("npm", ["install", ...options], { cwd: folder, stdio: "inherit" });
  if (status !== 0) console.error("The other libraries could not be installed, so Cairn is measured without them.");
}
