/**
 * Packages that `npm install` leaves out because of their size. The `package.json` of a folder lists them with their
 * versions, and the commands that need them install them into that folder.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface PackagesOnDemand {
  readonly folder: string;
  /** The purpose of the packages, for the message that is printed before the installation. */
  readonly title: string;
  /** The packages that must be present. The folder may list more, for other systems. */
  readonly names: readonly string[];
}

interface Manifest {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Whether every package is installed in the version that the folder lists. */
export function arePresent({ folder, names }: PackagesOnDemand): boolean {
  const { dependencies, optionalDependencies } = readManifest(folder);
  const versions = { ...optionalDependencies, ...dependencies };
  return names.every((name) => {
    const installed = join(folder, "node_modules", name);
    return existsSync(join(installed, "package.json")) && readManifest(installed).version === versions[name];
  });
}

/** Installs packages that are missing or have another version. Returns whether all are present afterwards. */
export function installOnDemand(packages: PackagesOnDemand, options: readonly string[] = []): boolean {
  if (arePresent(packages)) return true;
  console.log(`Installing ${packages.title}…`);
  const quiet = ["--no-package-lock", "--no-audit", "--no-fund", "--fetch-retries=1", "--loglevel=error"];
  spawnSync("npm", ["install", ...quiet, ...options], { cwd: packages.folder, stdio: "inherit" });
  if (arePresent(packages)) return true;
  console.error(`npm could not install ${packages.title}. Check that npm reaches its registry: npm ping`);
  return false;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
