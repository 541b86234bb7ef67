/** Installs each contender into a folder of its own under `dist/hello`, so that none changes the packages of another. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAIRN, CONTENDERS, type Contender } from "./contenders.ts";
import type { Installed } from "./measure-hello.ts";
import rivals from "./rivals/package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");
const target = join(root, "dist/hello");

/**
 * The libraries that npm could install, and the reasons for those that it could not. Throws when Cairn cannot be
 * installed.
 */
export function installAll(): { readonly installed: readonly Installed[]; readonly missing: readonly string[] } {
  const installed: Installed[] = [];
  const missing: string[] = [];
  for (const contender of CONTENDERS)
    try {
      installed.push({ contender, folder: install(contender) });
    } catch (error) {
      if (contender === CAIRN) throw error;
      missing.push(`${contender.name} could not be installed: ${error instanceof Error ? error.message : error}`);
    }
  return { installed, missing };
}

/** Returns the folder with the program. */
function install(contender: Contender): string {
  const folder = join(target, contender.program);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "hello", private: true, type: "module" }));
  for (const file of readdirSync(join(import.meta.dirname, "rivals")))
    if (file.endsWith(".mjs")) cpSync(join(import.meta.dirname, "rivals", file), join(folder, file));
  const versions: Readonly<Record<string, string>> = rivals.dependencies;
  const packages = [...contender.packages, "zod"].map((name) => `${name}@${versions[name]}`);
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel", "error"];
  npm(folder, "install", ...quiet, ...(contender === CAIRN ? [packCairn()] : []), ...packages);
  return folder;
}

/** Packs the built package as npm would publish it. */
function packCairn(): string {
  const packed = join(target, "packed");
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  npm(packed, "pack", "--silent", "--pack-destination", packed, join(root, "dist/cairn-agent"));
  const [tarball = ""] = readdirSync(packed);
  renameSync(join(packed, tarball), join(packed, "cairn-agent.tgz"));
  return join(packed, "cairn-agent.tgz");
}

/** Timeout of an installation: for some sets of peer dependencies, npm searches for a solution for half an hour. */
const MAX_INSTALL_MS = 5 * 60_000;

function npm(cwd: string, ...args: readonly string[]): void {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"], timeout: MAX_INSTALL_MS });
}
