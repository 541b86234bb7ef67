/**
 * Where Deno and pyodide lie: the npm packages `deno` and `pyodide`, which nobody has to install who does not run
 * programs, or a `deno` on the path. The launcher in the `deno` package is passed over: it would be one more process.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findProgram, isProgram } from "../process/find-program.ts";

const require = createRequire(import.meta.url);

/** Null when there is none. */
export function locateDeno(): string | null {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  const libc = process.platform === "linux" ? "-glibc" : "";
  const platform = packageFolder(`@deno/${process.platform}-${process.arch}${libc}`);
  const launcher = packageFolder("deno");
  const candidates = [platform, launcher].flatMap((folder) => (folder === null ? [] : [join(folder, name)]));
  return candidates.find(isProgram) ?? findProgram(name);
}

/** The folder of pyodide and its version; null when it is not installed. */
export async function locatePyodide(): Promise<{ readonly folder: string; readonly version: string } | null> {
  const folder = packageFolder("pyodide");
  if (folder === null || !existsSync(join(folder, "pyodide.mjs"))) return null;
  const { version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { version: string };
  return { folder, version };
}

function packageFolder(name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null; // Not installed.
  }
}
