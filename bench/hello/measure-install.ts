/** Measures the size on disk after `npm install`, and how long the imports of a program take. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { megabytesOf } from "../../scripts/packaging/installed-size.ts";
import { spreadOf } from "../measure.ts";
import type { Installed } from "./measure-hello.ts";

export interface InstallResult {
  readonly name: string;
  readonly megabytes: number;
  readonly packages: number;
  /**
   * Medians without the start of Node: wall-clock time, and processor time, which other work on the machine does not
   * change.
   */
  readonly importMs: number;
  readonly importCpuMs: number;
}

interface ImportTime {
  readonly ms: number;
  readonly cpuMs: number;
}

export function measureInstall(all: readonly Installed[], runs: number): InstallResult[] {
  const times = all.map((): ImportTime[] => []);
  // The contenders are measured in turn, so that all run under the same conditions. The first round only fills the
  // caches.
  for (let round = 0; round <= runs; round++)
    for (const [at, each] of all.entries()) {
      const time = timeImports(each);
      if (round > 0) times[at]?.push(time);
    }
  return all.map(({ contender: { name }, folder }, at) => ({
    name,
    megabytes: megabytesOf(join(folder, "node_modules")),
    packages: countPackages(folder),
    importMs: medianOf(times[at], ({ ms }) => ms),
    importCpuMs: medianOf(times[at], ({ cpuMs }) => cpuMs),
  }));
}

function medianOf(times: readonly ImportTime[] = [], read: (time: ImportTime) => number): number {
  return spreadOf(times.map(read)).median;
}

function countPackages(folder: string): number {
  const lock = JSON.parse(readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"));
  return Object.keys(lock.packages).length;
}

/** Imports the libraries that the hello program imports, in a new process. */
function timeImports({ contender: { program }, folder }: Installed): ImportTime {
  const source = readFileSync(join(folder, `${program}.mjs`), "utf8");
  const libraries = [...source.matchAll(/ from "([^."][^"]*)"/g)].map(([, name]) => name);
  const script = join(folder, "time-imports.mjs");
  const imports = libraries.map((name) => `import(${JSON.stringify(name)})`).join(", ");
  writeFileSync(
    script,
    `const [began, used] = [performance.now(), process.cpuUsage()];
await Promise.all([${imports}]);
const [ms, { user, system }] = [performance.now() - began, process.cpuUsage(used)];
console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
process.exit();
`,
  );
  return JSON.parse(execFileSync(process.execPath, [script], { cwd: folder, encoding: "utf8" }));
}
