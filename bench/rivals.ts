/**
 * The libraries that benchmarks compare with Cairn. `bench/rivals` has their versions and the code that uses them.
 *
 * `node bench/rivals.ts` installs these libraries; `npm run bench:store` and others run this script first. Without the
 * libraries, a benchmark measures Cairn alone.
 */
import { join } from "node:path";
import { arePresent, installOnDemand, type PackagesOnDemand } from "@cairn/testkit/packages-on-demand";
import rivals from "./rivals/package.json" with { type: "json" };

const RIVALS: PackagesOnDemand = {
  folder: join(import.meta.dirname, "rivals"),
  title: "the other libraries into bench/rivals",
  names: Object.keys(rivals.dependencies),
};

export const rivalVersions: Readonly<Record<string, string>> = rivals.dependencies;

export function hasRivals(): boolean {
  return arePresent(RIVALS);
}

/** The exports of a file in `bench/rivals`, or null if the libraries are not installed. */
export async function importRivals<Exports>(file: string): Promise<Exports | null> {
  if (hasRivals()) return await import(join(RIVALS.folder, file));
  console.error(`Cairn is measured alone: ${file} needs libraries that \`node bench/rivals.ts\` installs.`);
  return null;
}

if (import.meta.main && !installOnDemand(RIVALS, ["--ignore-scripts"]))
  console.error("Cairn is measured without the other libraries.");
