/**
 * The rules that keep imports between packages in one direction. A violation is reported in one line that names the
 * file, the import and the rule.
 */
import { folderCycles, folderImports } from "./folder-imports.ts";
import { type ImportGraph, importCycles } from "./import-cycles.ts";
import { enginePackage, layerOrder, singleUser, testOnlyPackage } from "./layer-order.ts";
import { type ImportTarget, resolveImport } from "./resolve-import.ts";
import { isTest, readSourceTree, type SourceFile } from "./source-tree.ts";

export interface LayerReport {
  readonly files: number;
  readonly violations: readonly string[];
}

export function checkLayers(root: string): LayerReport {
  const files = readSourceTree(root);
  const graph = new Map<string, string[]>();
  const violations: string[] = [];
  for (const file of files) {
    const imports: string[] = [];
    for (const specifier of file.specifiers) {
      const target = resolveImport(root, file.path, specifier);
      const broken = brokenRule(file.path, target);
      if (broken !== undefined) violations.push(`${file.path}: imports "${specifier}": ${broken}`);
      const path = importedFile(target);
      if (path !== undefined) imports.push(path);
    }
    graph.set(file.path, imports);
    violations.push(...unplaced(file), ...impurities(file), ...wrongUsers(file));
  }
  violations.push(...describeCycles(graph), ...folderCycles(folderImports(graph)));
  return { files: files.length, violations: [...new Set(violations)] };
}

/** The imports of each file. */
export function importGraph(root: string): ImportGraph {
  const targets = ({ path, specifiers }: SourceFile) =>
    specifiers.map((specifier) => resolveImport(root, path, specifier)).flatMap((target) => importedFile(target) ?? []);
  return new Map(readSourceTree(root).map((file) => [file.path, targets(file)]));
}

function importedFile(target: ImportTarget): string | undefined {
  return target.kind === "file" || target.kind === "package" ? target.path : undefined;
}

function brokenRule(from: string, target: ImportTarget): string | undefined {
  const owner = packageOf(from);
  switch (target.kind) {
    case "missing":
      return target.reason;
    case "registry":
      return undefined;
    case "node":
      return owner === enginePackage && !isTest(from) ? "the engine runs in browsers, without Node" : undefined;
    case "file":
      if (packageOf(target.path) !== owner) {
        return "a relative import must stay inside its package; import other packages by name, @cairn/…";
      }
      return isTest(target.path) && !isTest(from) ? "only a test imports a test" : undefined;
    case "package":
      return brokenArrow(from, owner, target.name);
  }
}

function brokenArrow(from: string, owner: string | undefined, imported: string): string | undefined {
  if (imported === owner) return undefined;
  if (imported === testOnlyPackage) {
    if (isTest(from) || from.startsWith("bench/") || from.startsWith("scripts/")) return undefined;
    return `only tests, bench/, scripts/ and ${testOnlyPackage} itself import ${testOnlyPackage}`;
  }
  // No package imports code outside packages/ (bench, examples, scripts), so such code may import any package.
  if (owner === undefined) return undefined;
  const allowed = layerOrder[owner] ?? [];
  if (allowed.includes(imported)) return undefined;
  return `${owner} may import ${allowed.length === 0 ? "no other package" : `only ${allowed.join(", ")}`}`;
}

function unplaced({ path }: SourceFile): string[] {
  const owner = packageOf(path);
  if (owner === undefined || Object.hasOwn(layerOrder, owner)) return [];
  return [`packages/${owner}: has no place in scripts/layers/layer-order.ts`];
}

function wrongUsers({ path, loaded }: SourceFile): string[] {
  return Object.entries(singleUser).flatMap(([specifier, { file, reason }]) =>
    loaded.has(specifier) && path !== file ? [`${path}: loads "${specifier}": ${reason}`] : [],
  );
}

function impurities({ path, impure }: SourceFile): string[] {
  if (packageOf(path) !== enginePackage || isTest(path)) return [];
  return impure.map((use) => `${path}:${use}: the engine must get its time and ids from the caller`);
}

function describeCycles(graph: ImportGraph): string[] {
  return importCycles(graph).map((cycle) => `cycle: ${[...cycle, cycle[0]].join(" → ")}`);
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}
