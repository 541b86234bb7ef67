/**
 * The project's source files and what each imports, type-only imports included: a type that points against the
 * arrow couples two packages as surely as a value does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, type StaticExportEntry, Visitor } from "oxc-parser";
import { impureUses } from "./engine-purity.ts";

export interface SourceFile {
  /** From the project root, with forward slashes. */
  readonly path: string;
  /** Module specifiers as written, each once. */
  readonly specifiers: readonly string[];
  /** Uses of a clock or of chance, as `line: what`. */
  readonly impure: readonly string[];
}

const sourceRoots = ["packages", "bench", "examples", "scripts"];
const skippedFolders = new Set(["node_modules", "dist", "coverage", "golden", "fixtures"]);
const sourceName = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

export function readSourceTree(root: string): SourceFile[] {
  const paths = sourceRoots.flatMap((folder) => sourcePaths(root, folder));
  return paths.sort().map((path) => readSourceFile(path, readFileSync(join(root, path), "utf8")));
}

function readSourceFile(path: string, text: string): SourceFile {
  const { module, program, errors } = parseSync(path, text);
  const broken = errors.find((error) => error.severity === "Error");
  if (broken !== undefined) throw new Error(`${path} cannot be parsed: ${broken.message}`);

  const specifiers = new Set<string>();
  for (const { moduleRequest } of module.staticImports) specifiers.add(moduleRequest.value);
  for (const { entries } of module.staticExports) {
    for (const entry of entries) addReExport(specifiers, entry);
  }
  const addLiteral = (node: { type: string; value?: unknown }) => {
    if (node.type === "Literal" && typeof node.value === "string") specifiers.add(node.value);
  };
  new Visitor({
    ImportExpression: (node) => addLiteral(node.source),
    TSImportType: (node) => addLiteral(node.source),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === "Identifier" && callee.name === "require" && first !== undefined) addLiteral(first);
    },
  }).visit(program);
  return { path, specifiers: [...specifiers], impure: impureUses(program, text) };
}

function addReExport(specifiers: Set<string>, entry: StaticExportEntry): void {
  if (entry.moduleRequest !== null) specifiers.add(entry.moduleRequest.value);
}

function sourcePaths(root: string, folder: string): string[] {
  return entriesOf(join(root, folder)).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : sourcePaths(root, path);
    return sourceName.test(entry.name) ? [path] : [];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
