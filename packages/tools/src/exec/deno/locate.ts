/** Finds Deno and pyodide: in their optional npm packages, or a `deno` on the path; never the package's launcher. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findProgram, isProgram } from "../process/find-program.ts";

const run = promisify(execFile);

/** The oldest usable Deno. Earlier versions let a program change its environment (`process.loadEnvFile`). */
const OLDEST = [2, 9] as const;

/** The problem with this Deno; null when it is new enough. */
export async function tooOld(deno: string): Promise<string | null> {
  const { stdout } = await run(deno, ["--version"], { env: { NO_COLOR: "1" }, timeout: 30_000 });
  const [, version = "", major = "0", minor = "0"] = /^deno ((\d+)\.(\d+)\S*)/.exec(stdout) ?? [];
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld ? `Deno ${version || "(unknown version)"} is too old.` : null;
}

/** Path of the installed Deno; null if Deno is not installed. */
export function locateDeno(): string | null {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const libc = process.platform === "linux" ? "-glibc" : "";
  const platform = packageFolder(() =>
    import.meta.resolve(`@deno/${process.platform}-${process.arch}${libc}/package.json`),
  );
  const launcher = packageFolder(() => import.meta.resolve("deno/package.json"));
  const candidates = [platform, launcher].flatMap((folder) => (folder === null ? [] : [join(folder, name)]));
  return candidates.find(isProgram) ?? findProgram(name);
}

/** The folder of pyodide and its version; null when it is not installed. */
export async function locatePyodide(): Promise<{ readonly folder: string; readonly version: string } | null> {
  const folder = packageFolder(() => import.meta.resolve("pyodide/package.json"));
  if (folder === null || !existsSync(join(folder, "pyodide.mjs"))) return null;
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  return { folder, version };
}

function packageFolder(resolve: () => string): string | null {
  try {
    return dirname(fileURLToPath(resolve()));
  } catch {
    return null; // The package is not installed.
  }
}
