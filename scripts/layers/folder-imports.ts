/**
 * Imports between the folders of a package. Every folder of `src` is a node, and files directly in `src` are the node
 * `src`. Tests are left out, and so are the entries of a
 * package (`src/index.ts`, `src/main.ts`): they only gather what others import.
 */
import { posix } from "node:path";
import { type ImportGraph, importCycles } from "./import-cycles.ts";
import { isTest } from "./source-tree.ts";

export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The importing files, in the order of the graph. */
  readonly files: readonly string[];
}

const entry = /^packages\/[^/]+\/src\/(?:index|main)\.tsx?$/;
const packageSource = /^packages\/[^/]+\/src\//;

export function folderImports(graph: ImportGraph): FolderImport[] {
  const found = new Map<string, { from: string; to: string; files: string[] }>();
  for (const [file, imported] of graph) {
    const owner = packageSource.exec(file)?.[0];
    if (owner === undefined || isTest(file) || entry.test(file)) continue;
    const from = posix.dirname(file);
    const folders = imported.filter((path) => path.startsWith(owner)).map((path) => posix.dirname(path));
    for (const to of new Set(folders)) {
      if (to === from) continue;
      const edge = found.get(`${from} ${to}`) ?? { from, to, files: [] };
      edge.files.push(file);
      found.set(`${from} ${to}`, edge);
    }
  }
  return [...found.values()];
}

/** Each cycle in one line. For the step with the fewest importing files, these files are named. */
export function folderCycles(imports: readonly FolderImport[]): string[] {
  const graph = new Map<string, string[]>();
  for (const { from, to } of imports) graph.set(from, [...(graph.get(from) ?? []), to]);
  return importCycles(graph).map((cycle) => {
    const steps = cycle.flatMap((from, at) => {
      const to = cycle[(at + 1) % cycle.length];
      return imports.filter((edge) => edge.from === from && edge.to === to);
    });
    const weakest = steps.toSorted((a, b) => a.files.length - b.files.length)[0];
    return `folder cycle: ${[...cycle, cycle[0]].join(" → ")} (${weakest?.files.join(", ")})`;
  });
}
