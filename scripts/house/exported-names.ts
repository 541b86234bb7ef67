/** Counts the names that a package exports to others: those of the files in the `exports` of its manifest. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

export function countExports(root: string, packageName: string): number {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "packages", packageName, "package.json"), "utf8"));
  const targets = targetsOf(Reflect.get(Object(manifest), "exports")).filter((target) => /\.tsx?$/.test(target));
  const names = targets.map((target) => namesOf(root, posix.join("packages", packageName, target)).size);
  return names.reduce((sum, count) => sum + count, 0);
}

function targetsOf(exports: unknown): string[] {
  if (typeof exports === "string") return [exports];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(targetsOf) : [];
}

function namesOf(root: string, path: string): Set<string> {
  const names = new Set<string>();
  const { module } = parseSync(path, readFileSync(join(root, path), "utf8"));
  for (const { entries } of module.staticExports)
    for (const { exportName, moduleRequest } of entries) {
      if (exportName.kind === "None" && moduleRequest?.value.startsWith(".") === true)
        for (const name of namesOf(root, posix.join(posix.dirname(path), moduleRequest.value))) names.add(name);
      else names.add(exportName.name ?? exportName.kind);
    }
  return names;
}
