/**
 * The programs that check the code (TypeScript, Biome and knip), and the clients of providers, of which tests use the
 * types. `npm run check`, `npm run format`, `npm test` and `npm run build` install them.
 */
import { join } from "node:path";
import manifest from "../checkers/package.json" with { type: "json" };
import { arePresent, installOnDemand, type PackagesOnDemand } from "./packages-on-demand.ts";

const CHECKERS: PackagesOnDemand = {
  folder: join(import.meta.dirname, "../checkers"),
  title: "TypeScript, Biome and knip (140 MB) into packages/testkit/checkers",
  names: Object.keys(manifest.dependencies),
};

export const CHECKER_MODULES = join(CHECKERS.folder, "node_modules");

export const checkerVersions: Readonly<Record<string, string>> = manifest.dependencies;

/** Returns whether the programs are present. */
export function installCheckers(): boolean {
  return installOnDemand(CHECKERS);
}

/** Why the programs are not available on this machine; null if they are. */
export function whyNoCheckers(): string | null {
  return arePresent(CHECKERS) ? null : "`npm test` or `npm run check` must install TypeScript, Biome and knip first";
}
