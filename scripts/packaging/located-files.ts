/**
 * Finds the files that code locates beside itself: `new URL("./worker.ts", import.meta.url)`. In the published package,
 * all code is in one folder. TypeScript files become modules in that folder; other files and folders are copied to its
 * folder `assets`. The documentation is in the folder above the code, as in this repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { projectRoot } from "../run-command.ts";
import { parts } from "./parts.ts";

const LOCATED = /new URL\((["`])(\.[^"`]*)\1, import\.meta\.url\)/g;

export interface LocatedFiles {
  /** TypeScript files, relative to the project. */
  readonly modules: readonly string[];
  /** Other files and folders, relative to the project's `packages`. */
  readonly assets: readonly string[];
  /** Source files that locate other files, by absolute path, with their new text. */
  readonly rewritten: ReadonlyMap<string, string>;
}

export function findLocatedFiles(): LocatedFiles {
  const modules = new Set<string>();
  const assets = new Set<string>();
  const rewritten = new Map<string, string>();
  for (const path of parts.flatMap(({ folder }) => sourcesIn(join(projectRoot, folder, "src")))) {
    const text = readFileSync(path, "utf8");
    const result = text.replaceAll(LOCATED, (_, quote: string, address: string) => {
      // In `../runners/${name}` only the folder is known, so all of it is copied.
      const [known = "", variable] = splitAtVariable(address);
      const target = join(dirname(path), known);
      if (target.endsWith(".ts")) {
        modules.add(relative(projectRoot, target));
        return `new URL("./${basename(target, ".ts")}.js", import.meta.url)`;
      }
      // Code also imports it, so the bundle contains it.
      if (target.endsWith(".json")) return `new URL("./${basename(target)}", import.meta.url)`;
      if (target === join(projectRoot, "docs")) return 'new URL("../docs", import.meta.url)';
      const asset = relative(join(projectRoot, "packages"), target);
      assets.add(asset);
      return `new URL(${quote}./assets/${asset}${variable}${quote}, import.meta.url)`;
    });
    if (result !== text) rewritten.set(path, result);
  }
  return { modules: [...modules], assets: [...assets], rewritten };
}

function splitAtVariable(address: string): [known: string, variable: string] {
  const at = address.indexOf("${");
  if (at === -1) return [address, ""];
  const slash = address.lastIndexOf("/", at);
  return [address.slice(0, slash), address.slice(slash)];
}

function sourcesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}
